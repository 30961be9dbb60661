import { sourceKey } from '../media-segments/segments.js'
import { defineJob } from './define-job.js'

const batch = 100
const oldestMs = 24 * 3_600_000

/** Removes uploads of which nothing came for a day, and what is left of those that nobody knows any more. */
export const expireUploads = defineJob<unknown>({
  name: 'expire-uploads',
  attempts: 1,
  every: '23 * * * *',
  async run(_payload, { database: { db }, media: { storage }, log }) {
    let removed = 0
    let count = batch
    while (count === batch) {
      const ended = await db<{ source_id: string; isFinished: boolean }[]>`
        delete from uploads where _id in (
          select _id from uploads where expires_at <= now() limit ${batch} for update skip locked
        ) returning source_id, finished_at is not null as "isFinished"
      `
      count = ended.length
      for (const { source_id } of ended.filter(({ isFinished }) => !isFinished)) {
        await (await storage.openUpload(sourceKey(source_id))).abort()
        await storage.remove(sourceKey(source_id))
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
