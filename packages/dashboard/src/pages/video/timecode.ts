/** Formats a time in a film: 1:02:03.5. */
export function timecode(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100)
  const [hours, minutes, seconds] = [
    Math.floor(tenths / 36_000),
    Math.floor(tenths / 600) % 60,
    Math.floor(tenths / 10) % 60,
  ]
  const whole = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : String(minutes)
  const rest = tenths % 10
  return `${whole}:${String(seconds).padStart(2, '0')}${rest > 0 ? `.${rest}` : ''}`
}

/** Parses a timecode: 62.5, 1:02.5 or 0:01:02.5. Returns undefined for anything else. */
export function readTimecode(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.')
  if (!/^(\d{1,3}:){0,2}\d{1,6}(\.\d{1,3})?$/.test(trimmed)) return undefined
  const seconds = trimmed.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Math.round(seconds * 1000)
}
