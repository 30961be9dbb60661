import { outside } from '../db/bound-database.js'
import type { Db } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'

/** Allows at most `most` failures, forgotten evenly over `seconds`. */
export interface Bucket {
  /** What is counted; unique per bucket. */
  readonly key: string
  readonly most: number
  readonly seconds: number
}

const keyBytes = 16
/** In PostgreSQL's bytea notation, because the driver mistakes an array of buffers for a single one. */
const bucketDigest = (sealer: Sealer, key: string) =>
  `\\x${sealer.digest(`attempts ${key}`).toString('hex', 0, keyBytes)}`

/**
 * Seconds until one failure is forgotten, in whole milliseconds so that `most` of them never exceed
 * `seconds`.
 */
const shareOf = ({ most, seconds }: Bucket) => Math.floor((seconds * 1000) / most) / 1000

const written = (db: Db, sealer: Sealer, buckets: readonly Bucket[]) => {
  const keys = buckets.map(({ key }) => bucketDigest(sealer, key))
  const spans = buckets.map(({ seconds }) => seconds)
  return db`${keys}::text[]::bytea[], ${buckets.map(shareOf)}::float8[], ${spans}::float8[]`
}

/** An SQL expression: whole seconds until every bucket has room. Takes nothing. */
export const attemptsWait = (db: Db, sealer: Sealer, buckets: readonly Bucket[]) =>
  db`attempts_wait(${written(db, sealer, buckets)})`

/**
 * Takes one attempt from every bucket or from none. Returns 0 if allowed, otherwise the whole seconds to wait
 * (>= 1).
 */
export async function takeAttempt(db: Db, sealer: Sealer, buckets: readonly Bucket[]): Promise<number> {
  // A failure counts even if the transaction around it is undone.
  const pool = outside(db)
  const [row] = await pool<{ wait: number }[]>`
    select take_attempt(${written(pool, sealer, buckets)}) as wait
  `
  return row?.wait ?? 0
}

/** Gives back an attempt that was not a failure. */
export async function giveBack(db: Db, sealer: Sealer, buckets: readonly Bucket[]): Promise<void> {
  const keys = buckets.map(({ key }) => bucketDigest(sealer, key))
  await outside(db)`select give_attempt_back(${keys}::text[]::bytea[], ${buckets.map(shareOf)}::float8[])`
}

/** Forgets all failures of these keys, e.g. after a password reset. */
export async function forgetAttempts(db: Db, sealer: Sealer, keys: readonly string[]): Promise<void> {
  const digests = keys.map((key) => bucketDigest(sealer, key))
  // Locks in the same order as taking attempts does, to avoid deadlock.
  await outside(db)`
    delete from attempts where key in (
      select key from attempts where key = any(${digests}::text[]::bytea[]) order by key for update
    )
  `
}
