import { isIP } from 'node:net'
import { invalid } from '../../errors.js'
import { countryOf, nameOfCountry } from '../../lib/countries.js'
import type { Call } from '../../resources/feature.js'
import { project } from '../../resources/projection.js'
import { answer } from '../../resources/standard.js'

/** Locates the caller or a given address. Headers from a proxy locate the caller only. */
export async function getGeoip({ address, geo, query, scope, surroundings }: Call) {
  const asked =
    query.ip_address === undefined || query.ip_address === '' ? address : String(query.ip_address).trim()
  if (isIP(asked) === 0)
    throw invalid('ip_address must be a network address such as 192.0.2.1 or 2001:db8::1.', {
      ip_address: ['must be a network address'],
    })
  const place = asked === address ? surroundings().place : geo.find(asked)
  const country = place.country === undefined ? undefined : countryOf(place.country)
  const record = {
    _id: scope.site_id,
    site_id: scope.site_id,
    request: asked,
    ip: asked,
    country_code: country?.code2 ?? null,
    country_code2: country?.code2 ?? null,
    country_code3: country?.code3 ?? null,
    country_name: country ? nameOfCountry(country) : null,
    continent_code: place.continent ?? null,
  }
  return answer(project(query, JSON.stringify(record)))
}
