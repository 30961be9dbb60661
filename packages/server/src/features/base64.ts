/** Base64 as programs write it: in lines, after `data:…,`, with a plus sign that a form made a space. Undefined for what is none. */
export function base64Bytes(given: string): Buffer | undefined {
  const text = given
    .replace(/^data:[^,]{0,100},/, '')
    .replace(/[\r\n\t]/g, '')
    .trim()
    .replaceAll(' ', '+')
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}
