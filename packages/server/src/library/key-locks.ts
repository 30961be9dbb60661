import type { Database } from '../db/database.js'
import type { KeyLock } from '../storage/key-lock.js'

/** Everything of one film, picture or kind of file is locked together: `segments/<id>`. */
const wordsLocked = 2

/**
 * Locks in the database, which end with the process that holds them. A lock on a prefix of one word keeps out all locks
 * under it. Each needs a connection while it is held.
 */
export function createKeyLocks(database: Pick<Database, 'transaction'>): KeyLock {
  return (keys) =>
    new Promise((resolve, reject) => {
      let release = () => {}
      const released = new Promise<void>((done) => {
        release = done
      })
      const holding = database.transaction(async (tx) => {
        for (const { name, isShared } of locksOf(keys))
          if (isShared) await tx`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`
          else await tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
        resolve(async () => {
          release()
          // Throws if the connection was lost, and the lock with it: what was done with the lock may be wrong.
          await holding
        })
        await released
      })
      holding.catch(reject)
    })
}

/** In one order for everyone, so that two callers never wait for each other. */
export function locksOf(keys: readonly string[]): { name: string; isShared: boolean }[] {
  const own = new Set(keys.map((key) => key.split('/').slice(0, wordsLocked).join('/')))
  const above = new Set([...own].map((name) => name.split('/')[0] ?? '').filter((name) => !own.has(name)))
  return [...own, ...above]
    .sort()
    .map((name) => ({ name: `zoetrope media ${name}`, isShared: above.has(name) }))
}
