import { siteOf, usualPort } from '../edge/origin.js'

/** The headers that identify the embedding page. */
interface EmbedHeaders {
  readonly origin?: string | undefined
  readonly referer?: string | undefined
}

/**
 * Whether the site a request comes from may have the content; `ours` is the origin of the player's own pages.
 */
export type SiteRule = (domains: readonly string[], headers: EmbedHeaders, ours: string) => boolean

/** For frames, scripts, data and playlists: with a list, the request must name a site that is on it. */
export const mayEmbed: SiteRule = (domains, { origin, referer }, ours) =>
  domains.length === 0 || isListed(domains, origin ?? referer, ours)

/** For the share page, which anyone may visit: refuses only scripts of other sites that try to read it. */
export const mayShare: SiteRule = (domains, { origin }, ours) =>
  domains.length === 0 || origin === undefined || isListed(domains, origin, ours)

function isListed(domains: readonly string[], address: string | undefined, ours: string): boolean {
  const site = siteOf(address)
  return site !== undefined && (site.origin === ours || domains.some((domain) => isWithin(domain, site)))
}

/** `example.com` matches every port, `example.com:8080` one port, `*.example.com` all hosts below it. */
function isWithin(domain: string, { hostname, port, protocol }: URL): boolean {
  const [host = '', onPort] = domain.toLowerCase().split(':')
  const isPort = onPort === undefined || onPort === (port || usualPort(protocol))
  return isPort && (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host)
}

/**
 * The same list for the browser, which checks all ancestors of a frame; undefined if every site may embed.
 */
export function frameAncestors(domains: readonly string[], ours: string): string | undefined {
  if (domains.length === 0) return undefined
  const sites = domains.flatMap((domain) => {
    const place = domain.includes(':') ? domain : `${domain}:*`
    return [`https://${place}`, `http://${place}`]
  })
  return `frame-ancestors 'self' ${ours} ${sites.join(' ')}`
}
