import type { Db } from '../db/database.js'
import { defineJob } from './define-job.js'

interface FollowCategory {
  readonly site_id: string
  readonly category_id: string
  /** The last video that was updated. */
  readonly after: string
}

const batch = 1000

/** Updates the category in the next videos that have it. Returns the last of them, or nothing if there are no more. */
export async function followInBatches(
  db: Db,
  site_id: string,
  category_id: string,
  after: string,
): Promise<string | undefined> {
  const [row] = await db<{ last: string | null }[]>`
    select follow_category(${site_id}, ${category_id}, ${after}, ${batch}) as last
  `
  return row?.last ?? undefined
}

/** Updates the videos of a category after it was changed or removed, if there are many. */
export const followCategory = defineJob<FollowCategory>({
  name: 'follow-category',
  attempts: 25,
  isBackground: true,
  async run({ site_id, category_id, after }, { database, signal }) {
    for (let last: string | undefined = after; last !== undefined; ) {
      signal?.throwIfAborted()
      last = await followInBatches(database.db, site_id, category_id, last)
    }
  },
})
