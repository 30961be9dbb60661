import { countryOf } from '../lib/countries.js'
import { createNetworks } from '../lib/networks.js'
import type { GeoLocation, GeoLookup, ProxyHeaders } from '../lib/surroundings.js'
import type { CountryFile } from './country-file.js'

export interface GeoLookupOptions {
  readonly file?: Pick<CountryFile, 'find'> | undefined
  /** The header in which a proxy sends the country, and the proxies that are trusted. */
  readonly header?: string | undefined
  readonly trustedProxies: readonly string[]
  /** Tells the operator what to set. */
  readonly warn?: (problem: string) => void
}

const notSetUp =
  'Rules about countries refuse every viewer, because the server cannot tell where they are. Your administrator sets COUNTRY_FILE or COUNTRY_HEADER.'
const hourMs = 3_600_000

/** The proxy's header comes first: it may know more than the address. */
export function createGeoLookup({ file, header, trustedProxies, warn }: GeoLookupOptions): GeoLookup {
  const isTrusted = createNetworks(trustedProxies)
  const name = header?.toLowerCase()

  function locationFrom({ neighbour, headers }: ProxyHeaders): GeoLocation | undefined {
    if (name === undefined || !isTrusted(neighbour)) return undefined
    const code = headers[name]
    const country = typeof code === 'string' ? countryOf(code) : undefined
    return country && { country: country.code2, continent: country.continent }
  }
  const problem = file === undefined && name === undefined ? notSetUp : undefined
  let warnedAt = Number.NEGATIVE_INFINITY
  return {
    problem,
    noteUnknown() {
      if (!problem || Date.now() - warnedAt < hourMs) return
      warnedAt = Date.now()
      warn?.(problem)
    },
    find: (address, proxy) => (proxy && locationFrom(proxy)) ?? locationIn(file?.find(address)),
  }
}

interface NamedLocation {
  readonly iso_code?: unknown
  readonly names?: { readonly en?: unknown }
}
interface LocationRecord {
  readonly subdivisions?: readonly NamedLocation[]
  readonly city?: NamedLocation
  readonly postal?: { readonly code?: unknown }
  readonly location?: { readonly metro_code?: unknown }
  readonly country?: NamedLocation
  readonly registered_country?: NamedLocation
  readonly continent?: { readonly code?: unknown }
}

/** Reads a record in MaxMind's field names. Only city databases contain more than the country. */
function locationIn(found: unknown): GeoLocation {
  const facts = (found ?? {}) as LocationRecord
  const code = (facts.country ?? facts.registered_country)?.iso_code
  const known = typeof code === 'string' ? countryOf(code) : undefined
  if (!known) return {}
  const continent = facts.continent?.code
  const states = (facts.subdivisions ?? []).flatMap(({ iso_code, names }) => [
    iso_code,
    iso_code && `${known.code2}-${iso_code}`,
    names?.en,
  ])
  return {
    country: known.code2,
    continent: typeof continent === 'string' ? continent : known.continent,
    ...listed('state', states),
    ...listed('city', [facts.city?.names?.en]),
    ...listed('zip_code', [facts.postal?.code]),
    ...listed('dma_code', [facts.location?.metro_code]),
  }
}

const listed = (name: string, values: readonly unknown[]): Readonly<Record<string, readonly string[]>> => {
  const texts = values.filter((value) => value !== undefined && value !== '').map(String)
  return texts.length > 0 ? { [name]: texts } : {}
}
