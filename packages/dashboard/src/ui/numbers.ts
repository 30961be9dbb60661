const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB']

/** 1,234,567 → 1.2 MB. */
export function bytes(count: number): string {
  const power = count < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3))
  const value = count / 1000 ** power
  return `${value.toLocaleString(undefined, { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${units[power]}`
}

/** Seconds as a player shows them: 1:02:03. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** A relative time: 3 days ago. */
export function fromNow(moment: string, now = Date.now()): string {
  const seconds = (Date.parse(moment) - now) / 1000
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
  for (const [unit, length] of steps)
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit)
  return format.format(0, 'minute')
}

export const dateAndTime = (moment: string): string =>
  new Date(moment).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const tidy = (value: number) => value.toLocaleString(undefined, { maximumFractionDigits: value < 10 ? 1 : 0 })

/** A duration: 4.2 s, 12 min, 3.5 h. */
export function span(seconds: number): string {
  if (seconds < 60) return `${tidy(seconds)} s`
  return seconds < 3600 ? `${tidy(seconds / 60)} min` : `${tidy(seconds / 3600)} h`
}
