/** A line of a subtitle, with its times in milliseconds. */
export interface Cue {
  /** The name of the cue and its place on the screen, as the file has them. They are kept, not edited. */
  readonly id: string
  readonly settings: string
  readonly start: number
  readonly end: number
  /** The words, with tags such as `<i>`. */
  readonly text: string
}

const timing = /^(\d+):(\d{2}):(\d{2})\.(\d{3}) --> (\d+):(\d{2}):(\d{2})\.(\d{3})(?: (.*))?/

const milliseconds = (parts: readonly string[]) => {
  const [hours = 0, minutes = 0, seconds = 0, rest = 0] = parts.map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
}

const tags = /(<\/?[a-zA-Z][^<>]*>)/

/** Unescapes what nobody can take for a tag or for an escape, so that people can read it. The server escapes it again. */
const readable = (text: string) =>
  text
    .replace(/&lt;(?!\/?[a-zA-Z]|\d[\d:.]{4})/g, '<')
    .replaceAll('&gt;', '>')
    .replace(/&amp;(?!(?:[a-zA-Z]{2,4}|#\d{1,7}|#[xX][\da-fA-F]{1,6});)/g, '&')

const editable = (text: string) =>
  text
    .split(tags)
    .map((part) => (tags.test(part) ? part : readable(part)))
    .join('')

/** Parses WebVTT as the server writes it. */
export const cuesOf = (vtt: string): readonly Cue[] =>
  vtt.split(/\n{2,}/).flatMap((block) => {
    const lines = block.split('\n')
    const index = lines.findIndex((line) => timing.test(line))
    const [, ...parts] = timing.exec(lines[index] ?? '') ?? []
    if (parts.length < 8) return []
    const text = editable(lines.slice(index + 1).join('\n')).trim()
    const times = { start: milliseconds(parts.slice(0, 4)), end: milliseconds(parts.slice(4, 8)) }
    return [{ id: lines[index - 1] ?? '', settings: parts[8] ?? '', ...times, text }]
  })

/** The words of a cue, without tags. */
export const wordsOf = (text: string): string =>
  text
    .split(tags)
    .filter((part) => !tags.test(part))
    .join('')

function clock(at: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(at / 3_600_000)}:${two((at / 60_000) % 60)}:${two((at / 1000) % 60)}.${String(at % 1000).padStart(3, '0')}`
}

/** An empty line would end the cue, and an arrow could begin the next one. */
const written = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n')
    .replaceAll('-->', '--&gt;')

/** Writes WebVTT. Cues without words are left out, because the server would reject them. */
export const vttOf = (cues: readonly Cue[]): string => {
  const blocks = cues
    .filter(({ text }) => wordsOf(text).trim() !== '')
    .map(({ id, settings, start, end, text }) => {
      const times = `${clock(start)} --> ${clock(end)}${settings && ` ${settings}`}`
      return `${id && `${id}\n`}${times}\n${written(text)}\n`
    })
  return ['WEBVTT\n', ...blocks].join('\n')
}

/** The content of a file as the API expects it. */
export const base64Of = (bytes: Uint8Array): string => {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, at) =>
    String.fromCharCode(...bytes.subarray(at * 4096, (at + 1) * 4096)),
  )
  return btoa(pieces.join(''))
}
