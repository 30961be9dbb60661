/**
 * Decodes base64, also with line breaks, a `data:…,` prefix, or plus signs that a form turned into spaces. Returns
 * undefined if the text is not base64.
 */
export function base64Bytes(given: string): Buffer | undefined {
  const text = given
    .replace(/^data:[^,]{0,100},/, '')
    .replace(/[\r\n\t]/g, '')
    .trim()
    .replaceAll(' ', '+')
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}
