const plus = 0x2b
const space = 0x20
const percent = 0x25

/** The values of hexadecimal digits by their bytes; 16 for all others. */
const digits = new Uint8Array(256).fill(16)
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16)
  digits[digit.charCodeAt(0)] = value
  digits[digit.toUpperCase().charCodeAt(0)] = value
}
const digitAt = (bytes: Uint8Array, at: number): number => digits[bytes[at] ?? 0] as number

/**
 * The names and values of a form or a query string. `URLSearchParams` reads them alike, but takes a fifth of a second for a
 * megabyte of plus signs.
 */
export function* readForm(text: string): Generator<readonly [string, string]> {
  for (const parameter of text.replace(/^\?/, '').split('&')) {
    if (parameter === '') continue
    const at = parameter.indexOf('=')
    if (at < 0) yield [decode(parameter), '']
    else yield [decode(parameter.slice(0, at)), decode(parameter.slice(at + 1))]
  }
}

/** Replaces `+` and `%20` in place, because what they stand for is never longer. */
function decode(text: string): string {
  if (!/[+%]/.test(text)) return text
  const bytes = Buffer.from(text)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    const escaped = byte === percent ? digitAt(bytes, at + 1) * 16 + digitAt(bytes, at + 2) : 256
    if (escaped < 256 && digitAt(bytes, at + 2) < 16) {
      bytes[length] = escaped
      at += 2
    } else bytes[length] = byte === plus ? space : byte
    length += 1
  }
  return bytes.toString('utf8', 0, length)
}
