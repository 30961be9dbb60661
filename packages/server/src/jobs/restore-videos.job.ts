import { actingAs } from '../db/acting-as.js'
import type { Db } from '../db/database.js'
import { sql } from '../db/fragment.js'
import { followFormatsOf } from '../films/formats.js'
import { restoreVideos as restore, restoreNamed } from '../films/removal.js'
import { defineJob } from './define-job.js'

interface RestoreVideos {
  readonly site_id: string
  /** The `deleted_at` that they have in common. */
  readonly at: string
  /** Who asked for it. */
  readonly author: string
}

const batch = 100

/** Restores the videos of a channel that were deleted together, in short steps. */
export const restoreVideos = defineJob<RestoreVideos>({
  name: 'restore-videos',
  attempts: 25,
  isBackground: true,
  async run({ site_id, at, author }, { database, signal }) {
    for (let restored = batch; restored === batch; ) {
      signal?.throwIfAborted()
      const choose = async (tx: Db) => {
        const rows = await tx<{ _id: string }[]>`
          select _id from videos where site_id = ${site_id} and deleted_at = ${at} order by _id limit ${batch} for update
        `
        return rows.map(({ _id }) => _id)
      }
      restored = await restoreNamed(
        actingAs(database, { name: author }),
        { site_id },
        choose,
        async (tx, ids) => {
          await restore(tx, sql`site_id = ${site_id} and _id = any(${ids}::text[])`)
          // Formats may have been turned on or off while a video was deleted.
          for (const _id of ids) await followFormatsOf(tx, site_id, _id)
          return ids.length
        },
      )
    }
  },
})
