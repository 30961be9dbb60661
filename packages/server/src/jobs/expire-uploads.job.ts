import { noteGivenUp } from '../films/uploads.js'
import { libraryTrouble } from '../library/trouble.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { defineJob } from './define-job.js'

const batch = 100
const oldestMs = 24 * 3_600_000

interface Ended {
  readonly site_id: string
  readonly video_id: string | null
  readonly source_id: string
  readonly isFinished: boolean
}

/** Removes uploads that received nothing for a day, and leftover files of uploads without a row. */
export const expireUploads = defineJob<unknown>({
  name: 'expire-uploads',
  attempts: 1,
  every: '23 * * * *',
  async run(_payload, { database, media: { storage, places, lease }, log }) {
    const { db } = database
    // In a storage that another installation uses, the same upload may still be going on there.
    if (await libraryTrouble(db, places, lease)) return
    let removed = 0
    let count = batch
    while (count === batch) {
      const ended = await database.transaction(async (tx) => {
        const rows = await tx<Ended[]>`
          delete from uploads where _id in (
            select _id from uploads where expires_at <= now() limit ${batch} for update skip locked
          ) returning site_id, video_id, source_id, finished_at is not null as "isFinished"
        `
        const givenUp = rows.filter(({ isFinished }) => !isFinished)
        await noteGivenUp(tx, givenUp)
        return { length: rows.length, givenUp }
      })
      count = ended.length
      // A complete file is kept: in a restored backup of the database its upload may look unfinished.
      for (const { source_id } of ended.givenUp) {
        await (await storage.openUpload(sourceKey(source_id))).abort()
        removed += 1
      }
    }
    for await (const { key, modifiedAt } of storage.listUploads()) {
      if (Date.now() - modifiedAt.getTime() < oldestMs) continue
      const source_id = key.split('/')[1] ?? ''
      const rows = await db`
        select from uploads where source_id = ${source_id}
        union all
        select from video_imports where media_source_id = ${source_id} and status in ('created', 'downloading')
      `
      if (rows.length > 0) continue
      await (await storage.openUpload(key)).abort()
      removed += 1
    }
    if (removed > 0) log.info({ removed }, 'removed uploads that were not finished')
  },
})
