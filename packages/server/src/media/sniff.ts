/** Signatures of the accepted containers: offset, and bytes in hexadecimal. */
const signatures: readonly (readonly [container: string, offset: number, bytes: RegExp])[] = [
  // ftyp, moov, mdat, wide, free, skip, pnot
  ['mov', 4, /^(66747970|6d6f6f76|6d646174|77696465|66726565|736b6970|706e6f74)/],
  ['matroska', 0, /^1a45dfa3/],
  // RIFF and, after the length, AVI or WAVE; RF64 is RIFF with long lengths.
  ['avi', 0, /^52494646.{8}41564920/],
  ['wav', 0, /^(52494646|52463634).{8}57415645/],
  // Packets of 188 bytes, or of 192 with a timestamp before each.
  ['mpegts', 0, /^47.{374}47/],
  ['mpegts', 4, /^47.{382}47/],
  ['mpeg', 0, /^000001(ba|b3)/],
  ['flv', 0, /^464c5601/],
  ['asf', 0, /^3026b2758e66cf11/],
  ['ogg', 0, /^4f676753/],
  ['mxf', 0, /^060e2b3402050101/],
  ['flac', 0, /^664c6143/],
  ['mp3', 0, /^(494433|ff(fa|fb|f2|f3|e2|e3))/],
  ['aac', 0, /^ff(f0|f1|f8|f9)/],
]

/** How many bytes identify a file's container. */
export const sniffBytes = 512

/**
 * The container that the first bytes indicate; undefined for playlists, scripts, pictures and text of any
 * kind.
 */
export function sniffContainer(head: Buffer): string | undefined {
  const digits = head.subarray(0, sniffBytes).toString('hex')
  return signatures.find(([, offset, bytes]) => bytes.test(digits.slice(offset * 2)))?.[0]
}
