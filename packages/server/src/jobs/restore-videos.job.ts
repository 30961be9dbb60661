import type { Db } from '../db/database.js'
import { signAs } from '../films/author.js'
import { restoreNamed } from '../films/restore-titles.js'
import { findSource } from '../media-segments/source-plan.js'
import { defineJob } from './define-job.js'
import { fillAll } from './fill.job.js'
import { noteProgress } from './renditions.js'

interface RestoreVideos {
  readonly site_id: string
  /** As of when they were removed together. */
  readonly at: string
  /** In whose name. */
  readonly author: string
}

const batch = 100

/** Brings back the videos of a channel that were put aside together, in short steps. */
export const restoreVideos = defineJob<RestoreVideos>({
  name: 'restore-videos',
  attempts: 25,
  isBackground: true,
  async run({ site_id, at, author }, { database, signal }) {
    for (let restored = batch; restored === batch; ) {
      signal?.throwIfAborted()
      const choose = async (tx: Db) => {
        await signAs(tx, author)
        const rows = await tx<{ _id: string }[]>`
          select _id from videos where site_id = ${site_id} and deleted_at = ${at} order by _id limit ${batch} for update
        `
        return rows.map(({ _id }) => _id)
      }
      restored = await restoreNamed(database, { site_id }, choose, async (tx, ids) => {
        const videos = await tx<{ media_source_id: string | null }[]>`
          update videos set deleted_at = null, updated_at = now()
          where site_id = ${site_id} and _id = any(${ids}::text[]) returning media_source_id
        `
        for (const { media_source_id } of videos)
          if (media_source_id) await goOn(tx, site_id, media_source_id)
        return videos.length
      })
    }
  },
})

/** Formats may have been turned on or off while a video was away. */
async function goOn(tx: Db, site_id: string, source_id: string): Promise<void> {
  const source = await findSource(tx, site_id, source_id)
  if (!source) return
  const { isUnfinished } = await noteProgress(tx, source)
  if (isUnfinished) await fillAll(tx, site_id, source_id)
}
