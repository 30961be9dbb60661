import { actingAs } from '../db/acting-as.js'
import { sql } from '../db/fragment.js'
import { removeVideos as remove } from '../films/removal.js'
import { defineJob } from './define-job.js'

interface RemoveVideos {
  readonly site_id: string
  /** The time of the request. All videos get it as `deleted_at`, so that they can be restored together. */
  readonly at: string
  /** Who asked for it. */
  readonly author: string
}

const batch = 500

/** Deletes all videos that the channel had at the time of the request, in short steps. They can be restored. */
export const removeVideos = defineJob<RemoveVideos>({
  name: 'remove-videos',
  attempts: 25,
  isBackground: true,
  async run({ site_id, at, author }, { database, signal }) {
    for (let removed = batch; removed === batch; ) {
      signal?.throwIfAborted()
      removed = await actingAs(database, { name: author }).transaction(async (tx) => {
        const next = sql`
          site_id = ${site_id} and _id in (
            select _id from videos
            where site_id = ${site_id} and deleted_at is null and created_at <= ${at}
            order by created_at, _id limit ${batch} for update
          )
        `
        return remove(tx, next, sql`${at}`)
      })
    }
  },
})
