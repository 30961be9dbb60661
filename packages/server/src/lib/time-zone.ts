/** A time zone by its name. */
export interface TimeZone {
  readonly name: string
  /**
   * The moment at which a clock in this zone shows the given time, passed in milliseconds as if it were UTC.
   */
  momentOf(shown: number): number
  /** The moment in local time with its offset from UTC: `2026-11-15T20:00:00.000+01:00`. */
  written(at: number): string
}

/** Returns undefined if there is no zone of this name. */
export function findTimeZone(name: string): TimeZone | undefined {
  const format = formatOf(name)
  if (!format) return undefined
  const offsetAt = (at: number): number => {
    const said = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes, seconds = '0'] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(said) ?? []
    const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)
    return (sign === '-' ? -size : size) * 1000
  }
  return {
    name,
    // The second pass corrects the first where it fell on the other side of a clock change.
    momentOf: (shown) => shown - offsetAt(shown - offsetAt(shown)),
    written(at) {
      const offset = offsetAt(at)
      const minutes = Math.round(Math.abs(offset) / 60_000)
      const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
        String(part).padStart(2, '0'),
      )
      const shown = new Date(at + offset).toISOString().slice(0, -1)
      return `${shown}${offset < 0 ? '-' : '+'}${hour}:${minute}`
    },
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
}
