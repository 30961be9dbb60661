import { type Brand, brandStyle, webAddress } from './brand.js'
import { hashOf, styleHash } from './style.js'

/**
 * The content security policy of a channel's pages. Browsers also hold the redirect after a form to it, so the page that
 * leads back to an app names the app's address or scheme in `formTargets`.
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

/** An address as a policy names it: its origin, or its scheme where an app has made up its own. */
function formTarget(address: string): string {
  const { origin, protocol } = new URL(address)
  return origin === 'null' ? protocol : origin
}
