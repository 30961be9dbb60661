import type { CallerKind } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { createRecent } from '../lib/recent.js'
import { type Sealer, sameDigest } from '../lib/sealing.js'
import { type Client, type ClientCredentials, findClient } from './clients.js'
import { touched } from './publisher-sessions.js'

/** An authenticated caller. */
export interface Principal {
  readonly kind: CallerKind
  readonly siteId: string
  readonly appId: string | undefined
  /** The consumer of an access token. */
  readonly consumerId: string | undefined
  /** The session of an access token. */
  readonly sessionId: string | undefined
  /** The person signed in to the dashboard. */
  readonly publisherId: string | undefined
  /** The id of the upload token, if the caller used one. */
  readonly uploadTokenId: string | undefined
  /** The scope of an access token; empty for keys, which have none. */
  readonly scope: string
  /** The number of the first list page for this caller. */
  readonly firstPage: number
}

export interface Credential {
  readonly parameter: 'api_key' | 'app_key' | 'access_token' | 'upload_token' | 'publisher_session'
  readonly value: string
  /** The selected channel of a dashboard session, which may have several. */
  readonly siteId?: string
}

export interface Principals {
  /** The app with this client id, and whether the secret matches. */
  findClient(given: ClientCredentials): Promise<Client | undefined>
  find(credential: Credential): Promise<Principal | undefined>
  /** The caller if looked up within the last second. Never waits. */
  known(credential: Credential): Principal | undefined
  /** Forgets all callers, or those that match, after this process changed keys, settings or sessions. */
  forget(who?: (principal: Principal) => boolean): void
}

/** A revoked key must stop working everywhere within a second, so look-ups are cached for less. */
const maxAgeMs = 900
const maxKnown = 10_000

interface PrincipalRow {
  digest: Buffer
  kind: CallerKind
  site_id: string
  app_id: string | null
  consumer_id?: string
  session_id?: string
  publisher_id?: string
  upload_token_id?: string
  scope?: string
  first_page: number
}

async function lookUp(
  db: Db,
  { parameter, siteId }: Credential,
  digest: Buffer,
): Promise<PrincipalRow | undefined> {
  if (parameter === 'publisher_session') {
    const [row] = await db<PrincipalRow[]>`
      with ${touched(db, digest)}
      select digest, role as kind, site_id, null as app_id, publisher_id, first_page
      from publisher_sessions join memberships using (publisher_id) join channels using (site_id)
      where digest = ${digest} and site_id = ${siteId ?? ''} and expires_at > now()
    `
    return row
  }
  if (parameter === 'api_key') {
    const [row] = await db<PrincipalRow[]>`
      with touched as (
        update api_keys set used_at = now()
        where digest = ${digest} and (used_at is null or used_at < now() - interval '1 minute')
      )
      select digest, kind, site_id, null as app_id, channels.first_page
      from api_keys join channels using (site_id)
      where digest = ${digest} and (expires_at is null or expires_at > now())
    `
    return row
  }
  if (parameter === 'app_key') {
    const [row] = await db<PrincipalRow[]>`
      select digest, 'app' as kind, site_id, app_id, coalesce(apps.first_page, channels.first_page) as first_page
      from app_credentials
      join apps using (site_id) join channels using (site_id)
      where digest = ${digest} and app_credentials.kind = 'app_key' and apps._id = app_id and apps.active
        and (expires_at is null or expires_at > now())
    `
    return row
  }
  if (parameter === 'upload_token') {
    const [row] = await db<PrincipalRow[]>`
      select digest, 'upload' as kind, site_id, null as app_id, upload_tokens._id as upload_token_id, first_page
      from upload_tokens join channels using (site_id)
      where digest = ${digest} and expires_at > now()
    `
    return row
  }
  const [row] = await db<PrincipalRow[]>`
    select access_digest as digest, 'consumer' as kind, site_id, app_id, consumer_id, session_id, sessions.scope,
      coalesce(apps.first_page, channels.first_page) as first_page
    from token_pairs
    join sessions using (site_id) join apps using (site_id) join channels using (site_id)
    where access_digest = ${digest} and spent_at is null and token_pairs.expires_at > now()
      and sessions._id = session_id and sessions.expires_at > now() and apps._id = app_id and apps.active
  `
  return row
}

export function createPrincipals(db: Db, sealer: Sealer): Principals {
  const callers = createRecent<Principal>(maxAgeMs, maxKnown)
  const clients = createRecent<Client>(maxAgeMs, maxKnown)
  const keyOf = ({ parameter, value, siteId = '' }: Credential) => `${parameter} ${value} ${siteId}`

  async function look(credential: Credential): Promise<Principal | undefined> {
    const digest = sealer.digest(credential.value)
    const row = await lookUp(db, credential, digest)
    return row && sameDigest(row.digest, digest) ? principalOf(row) : undefined
  }
  return {
    known: (credential) => callers.known(keyOf(credential)),
    find: (credential) => callers.find(keyOf(credential), () => look(credential)),
    findClient: (given) =>
      clients.find(JSON.stringify([given.id, given.secret]), () => findClient(db, sealer, given)),
    forget(who) {
      callers.forget(who)
      // A filter matches callers only; a change of an app affects all of them.
      if (!who) clients.forget()
    },
  }
}

const principalOf = (row: PrincipalRow): Principal => ({
  kind: row.kind,
  siteId: row.site_id,
  appId: row.app_id ?? undefined,
  consumerId: row.consumer_id,
  sessionId: row.session_id,
  publisherId: row.publisher_id,
  uploadTokenId: row.upload_token_id,
  scope: row.scope ?? '',
  firstPage: row.first_page,
})
