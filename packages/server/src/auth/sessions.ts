import { randomBytes } from 'node:crypto'
import type { Database, Db } from '../db/database.js'
import { newId } from '../lib/object-id.js'
import type { Sealer } from '../lib/sealing.js'
import { unlinked } from './devices.js'
import type { Lifetimes } from './lifetimes.js'
import { covers } from './scopes.js'

/** The access token object of the specification, 2.1. */
export interface IssuedTokens {
  readonly access_token: string
  readonly token_type: 'bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
  readonly created_at: number
}

/** A successful sign-in: the consumer, the app and the origin. Without an app it is a sign-in on a share page. */
export interface SessionOpening {
  readonly site_id: string
  readonly app_id?: string
  readonly consumer_id: string
  readonly device_id?: string
  readonly scope: string
  readonly ip: string
  readonly user_agent: string | undefined
}

interface TokenPair {
  readonly access: string
  readonly refresh: string
}
interface Issued {
  readonly issued_at: Date
  readonly seconds_left: number
}

const tokens = (
  { access, refresh }: TokenPair,
  { issued_at, seconds_left }: Issued,
  scope: string,
): IssuedTokens => ({
  access_token: access,
  token_type: 'bearer',
  expires_in: Math.max(Math.round(seconds_left), 0),
  refresh_token: refresh,
  scope,
  created_at: Math.floor(issued_at.getTime() / 1000),
})

const newToken = () => randomBytes(32).toString('hex')

/** What a password check proved: the consumer, and the hash it matched. */
export interface Proof {
  readonly password_hash: string
  /** The digest of the address used, which is now trusted for this account. */
  readonly from: Buffer
}

/** How lists of sessions name a sign-in without an app. */
const sharePages = 'Share pages'

/**
 * Records the sign-in and opens a session in one statement. A session without an app has one token for its whole life, and no
 * app can renew it or use it for requests to the API. Returns undefined if the consumer or the app is
 * gone, the password changed since the check, or the e-mail address must be confirmed first: see
 * `whyNotOpened`.
 */
export async function openSession(
  db: Db,
  sealer: Sealer,
  { accessSeconds, refreshDays, sessionDays }: Lifetimes,
  { site_id, app_id, consumer_id, device_id, scope, ip, user_agent }: SessionOpening,
  proof?: Proof,
): Promise<{ readonly _id: string; readonly tokens: IssuedTokens } | undefined> {
  const _id = newId()
  const pair = { access: newToken(), refresh: newToken() }
  const hash = proof?.password_hash ?? null
  const app = app_id ?? null
  const [issued] = await db<Issued[]>`
    with arrived as (
      update consumers set sign_in_count = sign_in_count + 1, last_sign_in_at = current_sign_in_at,
        last_sign_in_ip = current_sign_in_ip, current_sign_in_at = now(), current_sign_in_ip = ${ip}
      from channels
      where consumers.site_id = ${site_id} and consumers._id = ${consumer_id} and channels._id = consumers.site_id
        and (${hash}::text is null or password_hash = ${hash})
        and (email_verified_at is not null or not verify_email)
      returning consumers.site_id, consumers._id
    ), known as (
      insert into known_addresses (site_id, consumer_id, digest)
      select site_id, _id, ${proof?.from ?? null}::bytea from arrived where ${hash}::text is not null
      on conflict (site_id, consumer_id, digest) do update set seen_at = now()
      where known_addresses.seen_at < now() - interval '1 day'
    ), opened as (
      insert into sessions (
        _id, site_id, consumer_id, app_id, app_title, device_id, scope, ip, user_agent, expires_at, ends_at
      )
      select ${_id}, arrived.site_id, arrived._id, apps._id, coalesce(title, ${sharePages}), ${device_id ?? null}, ${scope}, ${ip},
        ${user_agent?.slice(0, 255) ?? null},
        now() + least(make_interval(days => ${refreshDays}), make_interval(days => ${sessionDays})),
        now() + make_interval(days => ${sessionDays})
      from arrived left join apps on apps.site_id = arrived.site_id and apps._id = ${app} and active
      where ${app}::text is null or apps._id is not null
      returning site_id, _id, expires_at
    )
    insert into token_pairs (access_digest, refresh_digest, site_id, session_id, expires_at)
    select ${sealer.digest(pair.access)}, ${sealer.digest(pair.refresh)}, site_id, _id,
      case when ${app}::text is null then expires_at else least(now() + make_interval(secs => ${accessSeconds}), expires_at) end
    from opened
    returning issued_at, extract(epoch from expires_at - now())::float as seconds_left
  `
  return issued && { _id, tokens: tokens(pair, issued, scope) }
}

/** Why a session could not be opened. */
export async function whyNotOpened(
  db: Db,
  { site_id, consumer_id }: Pick<SessionOpening, 'site_id' | 'consumer_id'>,
): Promise<'unverified' | 'gone'> {
  const [waiting] = await db`
    select from consumers join channels using (site_id)
    where site_id = ${site_id} and consumers._id = ${consumer_id} and verify_email and email_verified_at is null
  `
  return waiting ? 'unverified' : 'gone'
}

/** How long a client that missed the response may repeat a refresh token. */
const repeatSeconds = 30

interface Renewal {
  readonly site_id: string
  readonly app_id: string
  readonly refreshToken: string
  /** The requested scope, if any; it can only narrow the session's. */
  readonly scope?: string | undefined
  readonly ip: string
  readonly user_agent: string | undefined
}

/**
 * Replaces a pair of tokens; the old one ends. The new pair is derived from the old refresh token, so a
 * client that repeats the request at once, or twenty times in parallel, gets the same pair. A later
 * repetition counts as theft and ends the session (RFC 9700 §4.14.2).
 */
export async function renewSession(
  database: Database,
  sealer: Sealer,
  lifetimes: Lifetimes,
  { site_id, app_id, refreshToken, scope, ip, user_agent }: Renewal,
): Promise<{ readonly _id: string; readonly tokens: IssuedTokens | undefined } | 'too wide' | undefined> {
  const digest = sealer.digest(refreshToken)
  return database.transaction(async (tx) => {
    // Locks the session first, as ending it does; the opposite order could deadlock.
    const [session] = await tx<{ _id: string; scope: string }[]>`
      select _id, scope from sessions
      where site_id = ${site_id} and app_id = ${app_id} and expires_at > now()
        and _id = (select session_id from token_pairs where refresh_digest = ${digest})
      for no key update
    `
    if (!session) return undefined
    if (scope !== undefined && !covers(session.scope, scope)) return 'too wide'
    const [old] = await tx<{ spent: boolean; repeated: boolean }[]>`
      select spent_at is not null as spent,
        coalesce(spent_at > now() - make_interval(secs => ${repeatSeconds}), false) as repeated
      from token_pairs where refresh_digest = ${digest}
    `
    if (!old || (old.spent && !old.repeated)) {
      await tx`delete from sessions where site_id = ${site_id} and _id = ${session._id}`
      return { _id: session._id, tokens: undefined }
    }
    const pair = {
      access: sealer.derive('access token', refreshToken),
      refresh: sealer.derive('refresh token', refreshToken),
    }
    const issued = old.spent
      ? await reissued(tx, sealer, pair)
      : await replaced(tx, sealer, lifetimes, { site_id, _id: session._id, ip, user_agent }, digest, pair)
    return { _id: session._id, tokens: issued && tokens(pair, issued, session.scope) }
  })
}

async function reissued(tx: Db, sealer: Sealer, { access }: TokenPair): Promise<Issued | undefined> {
  const [issued] = await tx<Issued[]>`
    select issued_at, extract(epoch from expires_at - now())::float as seconds_left
    from token_pairs where access_digest = ${sealer.digest(access)}
  `
  return issued
}

async function replaced(
  tx: Db,
  sealer: Sealer,
  { accessSeconds, refreshDays }: Lifetimes,
  session: { site_id: string; _id: string; ip: string; user_agent: string | undefined },
  spent: Buffer,
  pair: TokenPair,
): Promise<Issued | undefined> {
  const { site_id, _id, ip, user_agent } = session
  await tx`update token_pairs set spent_at = now() where refresh_digest = ${spent}`
  const [issued] = await tx<Issued[]>`
    with renewed as (
      update sessions set refreshed_at = now(), updated_at = now(), ip = ${ip},
        user_agent = ${user_agent?.slice(0, 255) ?? null},
        expires_at = least(now() + make_interval(days => ${refreshDays}), ends_at)
      where site_id = ${site_id} and _id = ${_id}
      returning expires_at
    )
    insert into token_pairs (access_digest, refresh_digest, site_id, session_id, expires_at)
    select ${sealer.digest(pair.access)}, ${sealer.digest(pair.refresh)}, ${site_id}, ${_id},
      least(now() + make_interval(secs => ${accessSeconds}), expires_at)
    from renewed
    returning issued_at, extract(epoch from expires_at - now())::float as seconds_left
  `
  return issued
}

/**
 * Ends every session of a consumer, and everything that could open one without the password: codes and device
 * links.
 */
export async function endSessions(tx: Db, site_id: string, consumer_id: string): Promise<void> {
  await tx`delete from authorization_codes where site_id = ${site_id} and consumer_id = ${consumer_id}`
  await tx`
    update linked_devices set ${unlinked(tx)}
    where site_id = ${site_id} and consumer_id = ${consumer_id}
  `
  await tx`delete from sessions where site_id = ${site_id} and consumer_id = ${consumer_id}`
}

/** Ends the session of a token if it is this app's; returns the session's id. */
export async function endSessionOf(
  db: Db,
  sealer: Sealer,
  { site_id, app_id, token }: { site_id: string; app_id: string; token: string },
): Promise<string | undefined> {
  const digest = sealer.digest(token)
  const [ended] = await db<{ _id: string }[]>`
    delete from sessions where site_id = ${site_id} and app_id = ${app_id} and _id in (
      select session_id from token_pairs where access_digest = ${digest}
      union all select session_id from token_pairs where refresh_digest = ${digest}
    )
    returning _id
  `
  return ended?._id
}
