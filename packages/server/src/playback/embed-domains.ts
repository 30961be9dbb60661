import { siteOf, usualPort } from '../http/origin.js'

/** The headers in which a browser says on whose page it is. */
interface Told {
  readonly origin?: string | undefined
  readonly referer?: string | undefined
}

/** Whether the site that a request comes from may have what it asks for; `ours` is the origin of the player's own pages. */
export type SiteRule = (domains: readonly string[], told: Told, ours: string) => boolean

/** For frames, scripts, data and playlists: the site must be told, and be on the list if there is one. */
export const mayEmbed: SiteRule = (domains, { origin, referer }, ours) =>
  domains.length === 0 || isListed(domains, origin ?? referer, ours)

/** For the share page, which anybody may visit: only pages of other sites, which would read it by script, are refused. */
export const mayShare: SiteRule = (domains, { origin }, ours) =>
  domains.length === 0 || origin === undefined || isListed(domains, origin, ours)

function isListed(domains: readonly string[], address: string | undefined, ours: string): boolean {
  const site = siteOf(address)
  return site !== undefined && (site.origin === ours || domains.some((domain) => isWithin(domain, site)))
}

/** `example.com` on every port, `example.com:8080` on one, `*.example.com` for all hosts below it. */
function isWithin(domain: string, { hostname, port, protocol }: URL): boolean {
  const [host = '', onPort] = domain.toLowerCase().split(':')
  const isPort = onPort === undefined || onPort === (port || usualPort(protocol))
  return isPort && (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host)
}

/** The same list for the browser, which knows all pages around a frame; nothing where every site may embed. */
export function frameAncestors(domains: readonly string[], ours: string): string | undefined {
  if (domains.length === 0) return undefined
  const sites = domains.flatMap((domain) => {
    const place = domain.includes(':') ? domain : `${domain}:*`
    return [`https://${place}`, `http://${place}`]
  })
  return `frame-ancestors 'self' ${ours} ${sites.join(' ')}`
}
