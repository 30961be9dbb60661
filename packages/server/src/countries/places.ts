import { countryOf } from '../lib/countries.js'
import { createNetworks } from '../lib/networks.js'
import type { Place, Places, ToldByProxy } from '../lib/surroundings.js'
import type { CountryFile } from './country-file.js'

export interface PlacesOptions {
  readonly file?: Pick<CountryFile, 'find'> | undefined
  /** In which a proxy says the country, and the proxies that are believed. */
  readonly header?: string | undefined
  readonly trustedProxies: readonly string[]
}

/** What a proxy says comes first: it may know more than the address. */
export function createPlaces({ file, header, trustedProxies }: PlacesOptions): Places {
  const isTrusted = createNetworks(trustedProxies)
  const name = header?.toLowerCase()

  function toldBy({ neighbour, headers }: ToldByProxy): Place | undefined {
    if (name === undefined || !isTrusted(neighbour)) return undefined
    const told = headers[name]
    const country = typeof told === 'string' ? countryOf(told) : undefined
    return country && { country: country.code2, continent: country.continent }
  }
  return {
    isSetUp: file !== undefined || name !== undefined,
    find: (address, told) => (told && toldBy(told)) ?? placeIn(file?.find(address)),
  }
}

interface Named {
  readonly iso_code?: unknown
}
interface Found {
  readonly country?: Named
  readonly registered_country?: Named
  readonly continent?: { readonly code?: unknown }
}

/** What a file says of an address, in the words of its makers. */
function placeIn(found: unknown): Place {
  const { country, registered_country, continent } = (found ?? {}) as Found
  const code = (country ?? registered_country)?.iso_code
  const known = typeof code === 'string' ? countryOf(code) : undefined
  if (!known) return {}
  return {
    country: known.code2,
    continent: typeof continent?.code === 'string' ? continent.code : known.continent,
  }
}
