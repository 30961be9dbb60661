import { naming } from '../db/acting-as.js'
import type { Database, Db } from '../db/database.js'
import { type Fragment, sql } from '../db/fragment.js'
import { violatedIndex } from '../db/violation.js'
import type { Scope } from '../resources/store.js'
import { moveStatus } from './status.js'

const mostTries = 5

/** Deletes the videos that `which` selects. Their rows are kept for some days. Returns how many there were. */
export const removeVideos = (tx: Db, which: Fragment, at: Fragment = sql`now()`): Promise<number> =>
  moveStatus(tx, 'removed', which, sql`deleted_at = ${at}, status_before_removal = status`)

/** Removes the rows of deleted videos for good. The sweep removes their files. Returns how many there were. */
export async function purgeVideos(db: Db, which: Fragment): Promise<number> {
  const purged = await db`
    delete from videos where ${which} and deleted_at is not null returning _id${naming(db)}
  `
  return purged.length
}

/** Restores deleted videos, within `restoreNamed`, as their schedules want them by now. Returns how many there were. */
export const restoreVideos = (tx: Db, which: Fragment): Promise<number> =>
  moveStatus(
    tx,
    'restored',
    which,
    sql`
      deleted_at = null, status_before_removal = null,
      active = case when switches_at <= now() then active_after_switch(enable_at, disable_at) else active end,
      switches_at = case when switches_at <= now() then switch_after(enable_at, disable_at) else switches_at end
    `,
  )

/**
 * Restores deleted videos in a transaction of their own. While a video is deleted, another one may take its friendly title:
 * the restored one then gets the end of its id behind it. `choose` returns the ids, and `work` does the restoring.
 */
export async function restoreNamed<T>(
  database: Database,
  scope: Scope,
  choose: (tx: Db) => Promise<readonly string[]>,
  work: (tx: Db, ids: readonly string[]) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await database.transaction(async (tx) => {
        const ids = await choose(tx)
        await renameTaken(tx, scope, ids)
        return work(tx, ids)
      })
    } catch (error) {
      // The title was taken after it was looked at.
      if (tries === mostTries || violatedIndex(error) !== 'videos_by_friendly_title') throw error
    }
}

async function renameTaken(tx: Db, { site_id }: Scope, ids: readonly string[]): Promise<void> {
  await tx`
    update videos set friendly_title = friendly_title || '-' || right(_id, 8)
    where site_id = ${site_id} and _id = any(${ids}::text[]) and deleted_at is not null and exists (
      select from videos as other
      where other.site_id = ${site_id} and other.friendly_title = videos.friendly_title and (
        other.deleted_at is null or other._id = any(${ids}::text[]) and other._id < videos._id
      )
    )
  `
}
