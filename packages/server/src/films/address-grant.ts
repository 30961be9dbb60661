import { watcherOf } from '../auth/access.js'
import type { PlaybackTokenClaims } from '../auth/playback-tokens.js'
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

/** The same for a playback token: its signing key, if the server did not sign it, and its playlist, if it has one. */
export const grantOfToken = ({ key_id, audience, subject }: PlaybackTokenClaims): string =>
  `t${key_id}-${audience === 'playlist' ? subject : ''}`

/** Whether a playback token decides who may watch. */
export const isOfToken = (grant: string): boolean => grant.startsWith('t')

/** The signing key still exists, and the video is still in the playlist. */
function tokenColumn(grant: string): Fragment {
  const [key_id = '', playlist_id = ''] = grant.slice(1).split('-')
  const signed = sql`exists (
    select from signing_keys where signing_keys.site_id = videos.site_id and signing_keys._id = ${key_id}
  )`
  const within = sql`related_playlist_ids && array[${playlist_id}::text]`
  return sql`(${key_id === '' ? sql`true` : signed} and ${playlist_id === '' ? sql`true` : within})`
}

const rows: Readonly<Record<string, (id: string) => Fragment>> = {
  s: (id) =>
    sql`sessions where sessions.site_id = videos.site_id and sessions._id = ${id} and expires_at > now()`,
  p: (id) => sql`publisher_sessions join memberships using (publisher_id)
    where memberships.site_id = videos.site_id and publisher_sessions._id = ${id} and expires_at > now()`,
  k: (id) => sql`named_keys where named_keys.site_id = videos.site_id and named_keys._id = ${id}
    and (expires_at is null or expires_at > now()) and scopes && '{videos:read,*:read}'`,
}

/** A column for queries on videos: whether what an address was made for still exists. */
export function grantColumn(grant: string): Fragment {
  if (grant === '') return sql`true`
  if (isOfToken(grant)) return tokenColumn(grant)
  const row = rows[grant.slice(0, 1)]
  return row ? sql`exists (select from ${row(grant.slice(1))})` : sql`false`
}
