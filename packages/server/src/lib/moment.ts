/** A moment as callers write it: ISO 8601, or seconds since 1970. `day` means that only a date was given. */
export function readMoment(value: unknown): { at: Date; day: boolean } | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,12}(\.\d+)?$/.test(value)))
    return valid(new Date(Number(value) * 1000), false)
  if (typeof value !== 'string') return undefined
  // In a query string a plus sign arrives as a space, including the one before an offset.
  const text = value.trim().replace(/(:\d\d\S*) (\d\d:?\d\d)$/, '$1+$2')
  const match =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i.exec(text)
  if (!match) return undefined
  const [, date = '', time, zone] = match
  const midnight = new Date(`${date}T00:00:00Z`)
  // JavaScript reads the 30th of February as the 1st of March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return undefined
  if (!time) return valid(midnight, true)
  const offset = !zone || /^(z|utc)$/i.test(zone) ? 'Z' : zone.replace(/^(...)(\d\d)$/, '$1:$2')
  return valid(new Date(`${date}T${time.replace(',', '.')}${offset}`), false)
}

/** PostgreSQL and JSON both handle these years without surprises. */
function valid(at: Date, day: boolean): { at: Date; day: boolean } | undefined {
  const year = at.getUTCFullYear()
  return year >= 1 && year <= 9999 ? { at, day } : undefined
}
