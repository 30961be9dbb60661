import type { Db } from '../db/database.js'
import { type Sealer, sameDigest } from '../lib/sealing.js'
import { newSecret } from './keys.js'

export const newFeedKey = () => newSecret('zk_feed')

/** The feed that a key opens. */
export interface OpenedFeed {
  readonly site_id: string
  readonly feed_id: string
}

const longestKey = 256

/** Returns undefined if the key does not exist or has expired. */
export async function findFeedKey(db: Db, sealer: Sealer, key: string): Promise<OpenedFeed | undefined> {
  if (key === '' || key.length > longestKey) return undefined
  const digest = sealer.digest(key)
  const [row] = await db<(OpenedFeed & { digest: Buffer })[]>`
    select digest, site_id, feed_id from feed_keys
    where digest = ${digest} and (expires_at is null or expires_at > now())
  `
  return row && sameDigest(row.digest, digest) ? row : undefined
}
