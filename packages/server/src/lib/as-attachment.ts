/** A file name for Content-Disposition (RFC 6266): an ASCII name for all clients, and the full name in UTF-8. Neither contains a path. */
export function asAttachment(name: string): string {
  const clean = name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+/, '_') || 'film'
  const plain = clean.replace(/[^\x20-\x7e]|%/g, '_')
  const whole = encodeURIComponent(clean.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
