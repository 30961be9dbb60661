import { randomBytes } from 'node:crypto'
import type { Db } from '../db/database.js'
import { newId } from '../lib/object-id.js'
import type { Sealer } from '../lib/sealing.js'

/** A sign-in to the dashboard. */
export interface PublisherSessionOpening {
  readonly publisher_id: string
  /** The hash that the password was checked against; null for an account without a password. */
  readonly password_hash: string | null
  readonly address: string
  readonly browser: string
  /** Whether the person has just proved who they are: by the password, or asked for it by the identity provider. */
  readonly isConfirmed: boolean
  /** A sign-in with an identity provider, which ends sooner. */
  readonly isElsewhere?: true
}

/** A session ends after two weeks without use, and after three months in any case. */
const idleDays = 14
export const longestDays = 90
/** After this time an identity provider has to let them in again, which it may no longer do. */
const elsewhereHours = 24
const mostSessions = 50
const maxBrowser = 255
/** For how long a session counts as confirmed after its owner gave the password. */
export const confirmedMinutes = 5

/**
 * Opens a session and returns the value of its cookie. Each sign-in makes a new one, which prevents session
 * fixation. Undefined if the password changed during the check.
 */
export async function openPublisherSession(
  tx: Db,
  sealer: Sealer,
  { publisher_id, password_hash, address, browser, isConfirmed, isElsewhere }: PublisherSessionOpening,
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const hours = isElsewhere ? elsewhereHours : longestDays * 24
  const { count } = await tx`
    with arrived as (
      update publishers set sign_in_count = sign_in_count + 1, last_sign_in_at = current_sign_in_at,
        last_sign_in_ip = current_sign_in_ip, current_sign_in_at = now(), current_sign_in_ip = ${address}
      where _id = ${publisher_id} and password_hash is not distinct from ${password_hash}
      returning _id
    )
    insert into publisher_sessions (_id, publisher_id, digest, address, browser, confirmed_at, expires_at, ends_at)
    select ${newId()}, _id, ${sealer.digest(token)}, ${address}, ${browser.slice(0, maxBrowser)},
      case when ${isConfirmed} then now() else 'epoch' end,
      now() + least(make_interval(days => ${idleDays}), make_interval(hours => ${hours})),
      now() + make_interval(hours => ${hours})
    from arrived
  `
  // The link for the first sign-in is no longer needed.
  await tx`
    with used as (delete from sign_in_links where publisher_id = ${publisher_id})
    delete from publisher_sessions where publisher_id = ${publisher_id} and (expires_at <= now() or _id in (
      select _id from publisher_sessions where publisher_id = ${publisher_id} order by _id desc offset ${mostSessions}
    ))
  `
  return count > 0 ? token : undefined
}

/** SQL for a statement that finds a session: records its use at most once a minute. */
export const touched = (db: Db, digest: Buffer) => db`
  touched as (
    update publisher_sessions set used_at = now(),
      expires_at = least(now() + make_interval(days => ${idleDays}), ends_at)
    where digest = ${digest} and expires_at > now() and used_at < now() - interval '1 minute'
  )
`

/** Whether the owner of a session gave the password within the last minutes. */
export async function isConfirmed(db: Db, sessionId: string): Promise<boolean> {
  const rows = await db`
    select from publisher_sessions
    where _id = ${sessionId} and confirmed_at > now() - make_interval(mins => ${confirmedMinutes})
  `
  return rows.length > 0
}
