/** 90 → 1m30s, as addresses have it. */
function timeInAddress(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return `${hours > 0 ? `${hours}h` : ''}${minutes > 0 ? `${minutes}m` : ''}${rest > 0 ? `${rest}s` : ''}`
}

/** The address of a share page that starts at this second. */
export function startingAt(address: string, seconds: number): string {
  if (seconds < 1) return address
  const url = new URL(address)
  url.searchParams.delete('start')
  url.searchParams.set('t', timeInAddress(seconds))
  return url.href
}
