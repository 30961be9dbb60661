import { randomBytes } from 'node:crypto'
import type { Db } from '../db/database.js'
import { newId } from '../lib/object-id.js'
import type { Sealer } from '../lib/sealing.js'

export const keyKinds = ['admin', 'read_only', 'player'] as const
export type KeyKind = (typeof keyKinds)[number]

/** Twenty random bytes with a prefix that secret scanners recognise. */
export const newSecret = (prefix: string) => `${prefix}_${randomBytes(20).toString('hex')}`

/** Whether a text has the form of a key of a channel, a named key or an app key. */
export const isKey = (text: string): boolean => text.startsWith('zk_')

/** The parameter that a key is sent as. */
export const keyParameter = (key: string): 'api_key' | 'app_key' =>
  key.startsWith('zk_app_') ? 'app_key' : 'api_key'

export async function createKey(db: Db, sealer: Sealer, siteId: string, kind: KeyKind): Promise<string> {
  const key = newSecret(`zk_${kind}`)
  await db`
    insert into api_keys (_id, site_id, kind, digest, sealed)
    values (${newId()}, ${siteId}, ${kind}, ${sealer.digest(key)}, ${sealer.seal(key)})
  `
  return key
}

/** Creates a new key of this kind. Earlier keys keep working for `overlapSeconds`. */
export async function rotateKey(
  db: Db,
  sealer: Sealer,
  siteId: string,
  kind: KeyKind,
  overlapSeconds: number,
): Promise<string> {
  await db`
    update api_keys set expires_at = now() + make_interval(secs => ${overlapSeconds})
    where site_id = ${siteId} and kind = ${kind}
      and (expires_at is null or expires_at > now() + make_interval(secs => ${overlapSeconds}))
  `
  return createKey(db, sealer, siteId, kind)
}

export interface ShownKey {
  readonly kind: KeyKind
  readonly key: string
  readonly created_at: Date
  readonly expires_at: Date | null
}

export async function listKeys(db: Db, sealer: Sealer, siteId: string): Promise<ShownKey[]> {
  const rows = await db<{ kind: KeyKind; sealed: Buffer; created_at: Date; expires_at: Date | null }[]>`
    select kind, sealed, created_at, expires_at from api_keys
    where site_id = ${siteId} and (expires_at is null or expires_at > now())
    order by kind, created_at desc
  `
  return rows.map(({ sealed, ...row }) => ({ ...row, key: sealer.unseal(sealed) }))
}

/** The newest key of this kind. */
export async function newestKey(
  db: Db,
  sealer: Sealer,
  siteId: string,
  kind: KeyKind,
): Promise<string | undefined> {
  const [row] = await db<{ sealed: Buffer }[]>`
    select sealed from api_keys
    where site_id = ${siteId} and kind = ${kind} and (expires_at is null or expires_at > now())
    order by expires_at desc nulls first, created_at desc limit 1
  `
  return row && sealer.unseal(row.sealed)
}

/** The newest key of each kind, without its secret. */
export async function describeKeys(db: Db, sealer: Sealer, siteId: string) {
  const rows = await db<
    { kind: KeyKind; sealed: Buffer; created_at: Date; used_at: Date | null; previous_until: Date | null }[]
  >`
    select distinct on (kind) kind, sealed, created_at, used_at, (
      select max(expires_at) from api_keys as older
      where older.site_id = newest.site_id and older.kind = newest.kind and older._id <> newest._id and expires_at > now()
    ) as previous_until
    from api_keys as newest where site_id = ${siteId} and (expires_at is null or expires_at > now())
    order by kind, expires_at desc nulls first, created_at desc
  `
  return rows.map(({ kind, sealed, created_at, used_at, previous_until }) => ({
    kind,
    masked: `zk_${kind}_…${sealer.unseal(sealed).slice(-4)}`,
    last_used_at: used_at,
    created_at,
    previous_until,
  }))
}

export interface AppSecrets {
  readonly app_key: string
  readonly client_secret: string
}

export const newClientId = () => randomBytes(16).toString('hex')
export const newAppSecrets = (): AppSecrets => ({
  app_key: newSecret('zk_app'),
  client_secret: newSecret('zs_client'),
})

/** Gives an app new secrets. Earlier secrets keep working for `overlapSeconds`. */
export async function registerAppSecrets(
  db: Db,
  sealer: Sealer,
  app: { site_id: string; _id: string },
  secrets: AppSecrets,
  overlapSeconds = 0,
): Promise<void> {
  await db`
    delete from app_credentials where site_id = ${app.site_id} and app_id = ${app._id} and expires_at <= now()
  `
  await db`
    update app_credentials set expires_at = now() + make_interval(secs => ${overlapSeconds})
    where site_id = ${app.site_id} and app_id = ${app._id}
      and (expires_at is null or expires_at > now() + make_interval(secs => ${overlapSeconds}))
  `
  for (const kind of ['app_key', 'client_secret'] as const)
    await db`
      insert into app_credentials (digest, site_id, app_id, kind)
      values (${sealer.digest(secrets[kind])}, ${app.site_id}, ${app._id}, ${kind})
    `
}
