import { webAddress } from '../../lib/web-address.js'
import { type Brand, brandStyle } from './brand.js'
import { hashOf, styleHash } from './style.js'

/**
 * The content security policy of a channel's pages. Browsers also apply it to the redirect after a form, so
 * the page that leads back to an app lists the app's address or scheme in `formTargets`.
 */
export function contentPolicy(brand?: Brand, formTargets: readonly string[] = []): string {
  const own = brandStyle(brand)
  const styles = [styleHash, ...(own ? [hashOf(own)] : [])].map((hash) => `'${hash}'`)
  const logo = webAddress(brand?.logo_url)
  return [
    "default-src 'none'",
    `style-src ${styles.join(' ')}`,
    ...(logo ? [`img-src ${logo.origin}`] : []),
    `form-action ${["'self'", ...formTargets.map(formTarget)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** An address in policy syntax: its origin, or the scheme of an app's custom address. */
function formTarget(address: string): string {
  const { origin, protocol } = new URL(address)
  return origin === 'null' ? protocol : origin
}
