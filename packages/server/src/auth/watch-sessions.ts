import type { Db } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'

/** A consumer who signed in on a share page. */
export interface SignedInViewer {
  readonly session_id: string
  readonly consumer_id: string
  readonly email: string
}

/** The session of a share page with this token. Tokens of apps open no share page. */
export async function findWatchSession(
  db: Db,
  sealer: Sealer,
  site_id: string,
  token: string,
): Promise<SignedInViewer | undefined> {
  const [found] = await db<SignedInViewer[]>`
    select session_id, consumer_id, email
    from token_pairs
    join sessions on sessions.site_id = token_pairs.site_id and sessions._id = session_id
    join consumers on consumers.site_id = sessions.site_id and consumers._id = consumer_id
    where access_digest = ${sealer.digest(token)} and token_pairs.site_id = ${site_id} and app_id is null
      and token_pairs.expires_at > now() and sessions.expires_at > now()
  `
  return found
}

export async function endWatchSession(db: Db, site_id: string, session_id: string): Promise<void> {
  await db`delete from sessions where site_id = ${site_id} and _id = ${session_id} and app_id is null`
}
