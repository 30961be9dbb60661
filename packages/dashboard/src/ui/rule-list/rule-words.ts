import { countryOf, dateAndTime } from '../numbers.js'
import { strings } from './strings.js'

/** A rule of a record or of a profile. */
export interface Rule {
  readonly _id: string
  readonly name: string | null
  readonly policy: 'allow' | 'deny'
  readonly priority: number
  readonly enabled: boolean
  readonly geographies?: unknown
  readonly match_type?: string
  readonly countries?: readonly string[]
  readonly states?: readonly string[]
  readonly cities?: readonly string[]
  readonly zip_codes?: readonly string[]
  readonly dma_codes?: readonly string[]
  readonly ip_addresses?: readonly string[]
  readonly ip_ranges?: readonly { readonly start: string; readonly end: string }[]
  readonly domains: readonly string[]
  readonly device_ids: readonly string[]
  readonly device_category_ids: readonly string[]
  readonly starts_at: string | null
  readonly ends_at: string | null
}

type Geographies = readonly { readonly countries?: readonly string[] }[]

export const countriesOf = (geographies: unknown): string[] =>
  ((geographies ?? []) as Geographies).flatMap(({ countries = [] }) => countries)

/** The names of countries. Codes of three letters stay as they are. */
const named = (countries: readonly string[]) =>
  countries.map((code) => (/^[a-z]{2}$/i.test(code) ? countryOf(code) : code))

/** The rules in the order of evaluation: lowest priority first. */
export const inOrder = (rules: readonly Rule[]): readonly Rule[] =>
  [...rules].sort((one, other) => one.priority - other.priority)

/** The places that a profile's rule matches, by its match type. Other rules match only countries. */
function placesOf(rule: Rule): readonly string[] {
  const { match_type, ip_addresses = [], ip_ranges = [] } = rule
  const lists: Readonly<Record<string, readonly string[] | undefined>> = {
    country: named(rule.countries ?? []),
    state: rule.states,
    city: rule.cities,
    zip_code: rule.zip_codes,
    dma_code: rule.dma_codes,
    ip_address: [...ip_addresses, ...ip_ranges.map(({ start, end }) => `${start}–${end}`)],
  }
  return match_type === undefined ? named(countriesOf(rule.geographies)) : (lists[match_type] ?? [])
}

/** Whether the rule denies everyone. Missing fields count as empty. */
export const refusesEverybody = (rule: Partial<Rule>): boolean =>
  rule.policy !== 'allow' && rule.enabled !== false && inWords({ ...silent, ...rule }) === strings.everybody

const silent: Rule = {
  _id: '',
  name: null,
  policy: 'deny',
  priority: 1,
  enabled: true,
  domains: [],
  device_ids: [],
  device_category_ids: [],
  starts_at: null,
  ends_at: null,
}

/** Describes whom a rule applies to. */
export function inWords(rule: Rule): string {
  const { domains, device_ids, device_category_ids, starts_at, ends_at } = rule
  const places = placesOf(rule).join(', ')
  const devices = device_ids.length + device_category_ids.length
  const parts = [
    places && (rule.match_type === 'ip_address' ? strings.at(places) : strings.in(places)),
    domains.length > 0 && strings.on(domains.join(', ')),
    devices > 0 && strings.devices(devices),
    starts_at && strings.from(dateAndTime(starts_at)),
    ends_at && strings.until(dateAndTime(ends_at)),
  ].filter(Boolean)
  return parts.length === 0 ? strings.everybody : parts.join(' · ')
}
