import type { CallerKind } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { createRecent } from '../lib/recent.js'
import { type Sealer, sameDigest } from '../lib/sealing.js'
import { type Client, type ClientCredentials, findClient } from './clients.js'
import { addressTest, findNamedKey, isNamedKey, wrongNetwork } from './named-keys.js'
import { touched } from './publisher-sessions.js'

/** An authenticated caller. */
export interface Principal {
  readonly kind: CallerKind
  readonly siteId: string
  readonly appId: string | undefined
  /** The consumer of an access token. */
  readonly consumerId: string | undefined
  /** The session of an access token, or of the dashboard. */
  readonly sessionId: string | undefined
  /** The person signed in to the dashboard. */
  readonly publisherId: string | undefined
  /** The id of the upload token, if the caller used one. */
  readonly uploadTokenId: string | undefined
  /** The id of the named key, if the caller used one. */
  readonly keyId: string | undefined
  /** The id of the key of the channel, such as its admin key, if the caller used one. */
  readonly channelKeyId: string | undefined
  /** The scope of an access token, or the scopes of a named key; empty for other keys, which have none. */
  readonly scope: string
  /** Whether the key may be used from an address; undefined if it may be used from everywhere. */
  readonly isAllowedFrom: ((address: string) => boolean) | undefined
  /** How many requests the key may make in a minute, if that is limited. */
  readonly requestsPerMinute: number | undefined
  /** Whether everything in its requests has to be understood. */
  readonly isStrict: boolean
  /** The number of the first list page for this caller. */
  readonly firstPage: number
}

export interface Credential {
  readonly parameter: 'api_key' | 'app_key' | 'access_token' | 'upload_token' | 'publisher_session'
  readonly value: string
  /** The selected channel of a dashboard session, which may have several. */
  readonly siteId?: string
  /** The network address it was sent from. */
  readonly address?: string
}

export interface Principals {
  /** The app with this client id, and whether the secret matches. */
  findClient(given: ClientCredentials): Promise<Client | undefined>
  /** The caller; undefined if there is none. Throws 403 if the key may not be used from the address it was sent from. */
  find(credential: Credential): Promise<Principal | undefined>
  /**
   * The caller if looked up within the last second and allowed from the address of this request. Never waits. The address
   * is read only if it matters, because behind a proxy it has to be computed.
   */
  known(credential: Credential, request: { readonly ip: string }): Principal | undefined
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
  key_id?: string
  channel_key_id?: string
  allowed_networks?: readonly string[]
  scope?: string
  strict?: boolean
  requests_per_minute?: number | null
  first_page: number
}

/** SQL: whether the key or the person that made an upload token may still make one. */
const isMakerThere = (db: Db) => db`(
  exists (
    select from named_keys as maker where maker.site_id = upload_tokens.site_id and maker._id = made_by
      and (maker.expires_at is null or maker.expires_at > now()) and scopes && '{upload_tokens:write,*:write}'
  ) or exists (
    select from api_keys as maker where maker.site_id = upload_tokens.site_id and maker._id = made_by
      and (maker.expires_at is null or maker.expires_at > now())
  ) or exists (
    select from memberships as maker where maker.site_id = upload_tokens.site_id and maker.publisher_id = made_by
      and maker.role <> 'viewer'
  )
)`

async function lookUp(
  db: Db,
  { parameter, value, siteId }: Credential,
  digest: Buffer,
): Promise<PrincipalRow | undefined> {
  if (parameter === 'publisher_session') {
    const [row] = await db<PrincipalRow[]>`
      with ${touched(db, digest)}
      select digest, role as kind, site_id, null as app_id, publisher_id, publisher_sessions._id as session_id, first_page
      from publisher_sessions join memberships using (publisher_id) join channels using (site_id)
      where digest = ${digest} and site_id = ${siteId ?? ''} and expires_at > now()
    `
    return row
  }
  if (parameter === 'api_key' && isNamedKey(value)) return findNamedKey(db, digest)
  if (parameter === 'api_key') {
    const [row] = await db<PrincipalRow[]>`
      with touched as (
        update api_keys set used_at = now()
        where digest = ${digest} and (used_at is null or used_at < now() - interval '1 minute')
      )
      select digest, kind, site_id, null as app_id, api_keys._id as channel_key_id, channels.first_page
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
      where digest = ${digest} and expires_at > now() and ${isMakerThere(db)}
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
    known(credential, request) {
      const caller = callers.known(keyOf(credential))
      return caller?.isAllowedFrom?.(request.ip) === false ? undefined : caller
    },
    async find(credential) {
      const { address = '' } = credential
      const caller = await callers.find(keyOf(credential), () => look(credential))
      if (caller?.isAllowedFrom?.(address) === false) throw wrongNetwork(address)
      return caller
    },
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
  keyId: row.key_id,
  channelKeyId: row.channel_key_id,
  isAllowedFrom: addressTest(row.allowed_networks),
  scope: row.scope ?? '',
  requestsPerMinute: row.requests_per_minute ?? undefined,
  isStrict: row.strict ?? false,
  firstPage: row.first_page,
})
