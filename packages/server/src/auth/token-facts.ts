import type { Db } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'

/** The facts about a valid token. */
export interface TokenFacts {
  readonly kind: 'access_token' | 'refresh_token'
  readonly site_id: string
  readonly client_id: string
  readonly consumer_id: string
  readonly email: string
  readonly scope: string
  readonly issued_at: Date
  readonly expires_at: Date
  readonly seconds_left: number
}

/** The facts about a token, or undefined if it is not valid. */
export async function findToken(db: Db, sealer: Sealer, token: string): Promise<TokenFacts | undefined> {
  const digest = sealer.digest(token)
  const [facts] = await db<TokenFacts[]>`
    select kind, found.site_id, client_id, consumer_id, email, sessions.scope, issued_at, found.ends_at as expires_at,
      extract(epoch from found.ends_at - now())::float as seconds_left
    from (
      select 'access_token' as kind, site_id, session_id, issued_at, expires_at as ends_at
      from token_pairs where access_digest = ${digest} and spent_at is null
      union all
      select 'refresh_token', token_pairs.site_id, session_id, issued_at, sessions.expires_at
      from token_pairs join sessions on sessions.site_id = token_pairs.site_id and sessions._id = session_id
      where refresh_digest = ${digest} and spent_at is null
    ) as found
    join sessions on sessions.site_id = found.site_id and sessions._id = session_id
    join apps on apps.site_id = found.site_id and apps._id = app_id
    join consumers on consumers.site_id = found.site_id and consumers._id = consumer_id
    where found.ends_at > now() and sessions.expires_at > now() and apps.active
  `
  return facts
}
