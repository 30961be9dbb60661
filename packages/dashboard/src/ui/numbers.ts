/**
 * Numbers, dates and plurals. Formats follow the language of the browser; plural forms follow the language of the
 * texts, which name them.
 */

/** The language of the texts in the `strings.ts` files. */
const textLanguage = 'en'
const plurals = new Intl.PluralRules(textLanguage)

const wholes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** 1234 → 1,234. */
export const whole = (count: number): string => wholes.format(count)

/** A number with at most one decimal: 12.34 → 12.3. */
export const tenth = (value: number): string => tenths.format(value)

interface Forms {
  readonly one: string
  readonly other: string
}

/** The form of a text that fits the count, with the count in place of `#`: `# video`, `# videos`. */
export const plural = (count: number, forms: Forms): string =>
  (plurals.select(count) === 'one' ? forms.one : forms.other).replace('#', whole(count))

/** A share from 0 to 1: 0.4 → 40%. Small shares have a decimal. */
export const percent = (share: number): string =>
  share.toLocaleString(undefined, {
    style: 'percent',
    maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0,
  })

const unit = (value: number, name: string, unitDisplay: 'short' | 'long' = 'short') =>
  value.toLocaleString(undefined, {
    style: 'unit',
    unit: name,
    unitDisplay,
    maximumFractionDigits: value < 10 ? 1 : 0,
  })

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte']

/** 1,234,567 → 1.2 MB. */
export function bytes(count: number): string {
  const power = count < 1000 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log10(count) / 3))
  return unit(count / 1000 ** power, sizes[power] as string, power === 0 ? 'long' : 'short')
}

/** A duration: 4.2 sec, 12 min, 3.5 hr. */
export function span(seconds: number): string {
  if (seconds < 60) return unit(seconds, 'second')
  return seconds < 3600 ? unit(seconds / 60, 'minute') : unit(seconds / 3600, 'hour')
}

/** Seconds as a player shows them: 1:02:03. */
export function clock(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds))
  const parts = [Math.floor(rounded / 3600), Math.floor(rounded / 60) % 60, rounded % 60]
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

/** A relative time: 3 days ago. Components pass the time from `useNow`, so that all of them agree. */
export function fromNow(moment: string, now: number): string {
  const seconds = (Date.parse(moment) - now) / 1000
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
  for (const [name, length] of steps)
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), name)
  return format.format(0, 'minute')
}

/** The time zone of the browser, in which times are shown and typed: Europe/Berlin. */
export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const dateAndTime = (moment: string): string =>
  new Date(moment).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The date of a moment, in the user's time zone. */
export const dateOf = (moment: string): string =>
  new Date(moment).toLocaleDateString(undefined, { dateStyle: 'medium' })

/** The time of day of a moment: 14:05. */
export const timeOf = (moment: string): string =>
  new Date(moment).toLocaleTimeString(undefined, { timeStyle: 'short' })

/** The day of a moment as a heading: Today, Yesterday, Monday, November 16. */
export function dayHeading(moment: string, now: number): string {
  const startOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0)
  const days = Math.round((startOfDay(Date.parse(moment)) - startOfDay(now)) / 86_400_000)
  if (days < -1 || days > 0)
    return new Date(moment).toLocaleDateString(undefined, { weekday: 'long', month: 'long', day: 'numeric' })
  const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(days, 'day')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A moment in a list: 20 Nov, 14:00, with the year if it is another one. */
export function shortMoment(moment: string, now = Date.now()): string {
  const when = new Date(moment)
  const isThisYear = when.getFullYear() === new Date(now).getFullYear()
  return when.toLocaleString(undefined, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}

/** A day in UTC, as statistics count them: 2026-11-16 → Nov 16, 2026. */
export const dayOf = (date: string): string =>
  new Date(date).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

const namesIn = (language: string | undefined) =>
  new Intl.DisplayNames(language, { type: 'language', fallback: 'none' })
const ownNames = namesIn(undefined)
const englishNames = namesIn('en')

/** The names of a language by its code: for the user, in English, and in the language itself. Undefined if it is unknown. */
export function languageNames(code: string) {
  const english = englishNames.of(code)
  if (english === undefined) return undefined
  return { english, name: ownNames.of(code) ?? english, native: namesIn(code).of(code) ?? english }
}

/** A language code as BCP 47 writes it: PT-br → pt-BR, eng → en. Undefined if it is not one. */
export function canonicalLanguage(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code)[0]
  } catch {
    return undefined
  }
}

/** A list as people write it: videos, playlists, and plans. */
export const inList = (names: readonly string[]): string =>
  new Intl.ListFormat(undefined, { type: 'conjunction' }).format(names)

const regions = new Intl.DisplayNames(undefined, { type: 'region' })

/** The name of a country, by its code of two letters. */
export const countryOf = (code: string): string => regions.of(code.toUpperCase()) ?? code

const englishRegions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** The English name of a country. Undefined for codes that are not in use, such as DD, which has become DE. */
export const englishCountry = (code: string): string | undefined =>
  canonicalLanguage(`und-${code}`) === `und-${code}` ? englishRegions.of(code) : undefined

const moneyFormat = (currency: string): Intl.NumberFormat | undefined => {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency })
  } catch {
    // Records of other systems may have codes that do not exist.
    return undefined
  }
}

/** An amount in a currency: 4.99 USD → $4.99. */
export const money = (amount: string | number, currency: string): string =>
  moneyFormat(currency)?.format(Number(amount)) ?? `${amount} ${currency}`

/** How many decimals a currency has: 2 for USD, none for JPY. */
export const decimalsOf = (currency: string): number =>
  moneyFormat(currency)?.resolvedOptions().maximumFractionDigits ?? 2

const currencyNames = new Intl.DisplayNames(undefined, { type: 'currency' })

/** The currencies that the browser knows, by code, with their names. */
export const currencies = (): readonly { readonly code: string; readonly name: string }[] =>
  Intl.supportedValuesOf('currency').map((code) => ({ code, name: currencyNames.of(code) ?? code }))

/** The script that a language is usually written in: Latn for English. */
export const scriptOf = (language: string): string => new Intl.Locale(language).maximize().script ?? 'Latn'
