import type { Db } from '../db/database.js'
import { forbidden } from '../errors.js'
import { createNetworks, plainAddress } from '../lib/networks.js'
import { newSecret } from './keys.js'

const prefix = 'zk_named'

export const newNamedKey = () => newSecret(prefix)

/** Named keys have a table of their own, and are recognised by their prefix. */
export const isNamedKey = (key: string): boolean => key.startsWith(`${prefix}_`)

/** The caller behind a named key. */
export interface NamedKeyRow {
  readonly digest: Buffer
  readonly kind: 'named'
  readonly site_id: string
  readonly app_id: null
  readonly key_id: string
  readonly scope: string
  readonly allowed_networks: readonly string[]
  readonly strict: boolean
  readonly requests_per_minute: number | null
  readonly first_page: number
}

/** Finds a key that has not expired. Its use is recorded at most once a minute, and no request waits for that. */
export async function findNamedKey(db: Db, digest: Buffer): Promise<NamedKeyRow | undefined> {
  const [row] = await db<(NamedKeyRow & { isNoted: boolean | null })[]>`
    select digest, 'named' as kind, site_id, null as app_id, named_keys._id as key_id,
      array_to_string(scopes, ' ') as scope, allowed_networks, strict, requests_per_minute, channels.first_page,
      last_used_at > now() - interval '1 minute' as "isNoted"
    from named_keys join channels using (site_id)
    where digest = ${digest} and (expires_at is null or expires_at > now())
  `
  if (row && !row.isNoted) noteUse(db, digest)
  return row
}

function noteUse(db: Db, digest: Buffer): void {
  // If this fails, the next look-up tries again.
  db`
    update named_keys set last_used_at = now()
    where digest = ${digest} and (last_used_at is null or last_used_at < now() - interval '1 minute')
  `.catch(() => {})
}

/** A named key without its secret, which is not stored. */
interface ShownNamedKey {
  readonly name: string
  readonly last_four: string
  readonly scopes: readonly string[]
  readonly allowed_networks: readonly string[]
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
}

/** The named keys of a channel by name, also those that have expired. */
export const listNamedKeys = (db: Db, siteId: string): Promise<readonly ShownNamedKey[]> => db<
  ShownNamedKey[]
>`
  select name, last_four, scopes, allowed_networks, expires_at, last_used_at from named_keys
  where site_id = ${siteId} order by lower(name)
`

/** Returns a test for whether a key may be used from an address; undefined if it may be used from everywhere. */
export function addressTest(networks: readonly string[] = []): ((address: string) => boolean) | undefined {
  if (networks.length === 0) return undefined
  const contains = createNetworks(networks)
  return (address) => contains(plainAddress(address))
}

export const wrongNetwork = (address: string) =>
  forbidden(
    `This key may be used from certain networks only, and ${plainAddress(address) || 'an unknown address'} is in none of them.`,
    'wrong_network',
  )
