/** A file that is not a subtitle, or breaks one of our rules. The message is for the uploader. */
export class SubtitleRefused extends Error {}

const marks: readonly (readonly [mark: string, encoding: string])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]

/** Decodes a file by its byte order mark, else as UTF-8, else as Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 3)).toString('hex')
  const marked = marks.find(([mark]) => head.startsWith(mark))?.[1]
  const text = decodeAs(marked ?? 'utf-8', bytes) ?? (marked ? undefined : decodeWindows(bytes))
  if (text === undefined) throw new SubtitleRefused(`The file declares itself ${marked}, but is not.`)
  if (text.includes('\0'))
    throw new SubtitleRefused('The file has NUL characters in it. Save it as UTF-8 and send it again.')
  return text
}

/** The characters of Windows-1252 from 0x80 on, where Latin 1 has none. Node's own decoder lacks them. */
const signs = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

const decodeWindows = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (code) => signs[code.charCodeAt(0) - 0x80] ?? ' ')

function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
