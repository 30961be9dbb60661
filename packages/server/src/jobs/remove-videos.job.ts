import { sql } from '../db/fragment.js'
import { signAs } from '../films/author.js'
import { removeVideos as remove } from '../films/removal.js'
import { defineJob } from './define-job.js'

interface RemoveVideos {
  readonly site_id: string
  /** When it was asked for. All of them are removed as of then, which tells them from others that were removed. */
  readonly at: string
  /** In whose name. */
  readonly author: string
}

const batch = 500

/** Puts aside all videos that a channel had when it was asked for, in short steps. */
export const removeVideos = defineJob<RemoveVideos>({
  name: 'remove-videos',
  attempts: 25,
  isBackground: true,
  async run({ site_id, at, author }, { database, signal }) {
    for (let removed = batch; removed === batch; ) {
      signal?.throwIfAborted()
      removed = await database.transaction(async (tx) => {
        await signAs(tx, author)
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
