const units = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** A time in words: 1 minute, 2 seconds. */
export function spokenTime(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds))
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`]
  })
  return parts.join(', ') || '0 seconds'
}

/** Rounds the duration of a film, because files are often a few milliseconds shorter than intended. */
export const shownDuration = (seconds: number): number => Math.round(seconds)

/** Shows the rounded duration at the end of the film. */
export const shownTime = (seconds: number, duration: number): number =>
  Number.isFinite(duration) && seconds >= duration - 0.1 ? shownDuration(duration) : seconds

/** 62 → 1:02. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
