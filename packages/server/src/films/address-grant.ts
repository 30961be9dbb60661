import { watcherOf } from '../auth/access.js'
import type { Principal } from '../auth/principals.js'
import { type Fragment, sql } from '../db/fragment.js'

/**
 * What an address depends on and what may be withdrawn before it expires, as one word: a letter, and the id of a consumer's
 * session, of a publisher's session or of a named key. Empty if the caller has none of them.
 */
export function grantOf(principal: Principal): string {
  const { sessionId, publisherId, keyId } = principal
  if (keyId !== undefined) return `k${keyId}`
  if (sessionId === undefined) return ''
  if (publisherId !== undefined) return `p${sessionId}`
  return watcherOf(principal) === '' ? '' : `s${sessionId}`
}

const rows: Readonly<Record<string, (id: string) => Fragment>> = {
  s: (id) =>
    sql`sessions where sessions.site_id = videos.site_id and sessions._id = ${id} and expires_at > now()`,
  p: (id) => sql`publisher_sessions join memberships using (publisher_id)
    where memberships.site_id = videos.site_id and publisher_sessions._id = ${id} and expires_at > now()`,
  k: (id) => sql`named_keys where named_keys.site_id = videos.site_id and named_keys._id = ${id}
    and (expires_at is null or expires_at > now())`,
}

/** A column for queries on videos: whether what an address was made for still exists. */
export function grantColumn(grant: string): Fragment {
  if (grant === '') return sql`true`
  const row = rows[grant.slice(0, 1)]
  return row ? sql`exists (select from ${row(grant.slice(1))})` : sql`false`
}
