const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']

/** A number of bytes for people. */
export function sizeOf(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  return `${Number((bytes / 1000 ** step).toFixed(step > 2 ? 1 : 0)).toLocaleString('en')} ${units[step]}`
}

/** A number with its noun: 1 film, 2 films. */
export const amount = (count: number, noun: string) =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** A time that is left, for people. */
export function durationOf(seconds: number): string {
  if (seconds < 90) return amount(Math.ceil(seconds), 'second')
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? amount(minutes, 'minute') : amount(Math.round(minutes / 60), 'hour')
}
