import { picturesOf } from '../media-segments/picture-files.js'
import { defineJob } from './define-job.js'

/** A file may be older than its row by the length of an upload; younger ones are left alone. */
const youngestMs = 6 * 3_600_000
const step = 500

/** Removes the files of sources and images that nobody knows: of videos that were ended, and of uploads that broke off. */
export const sweepMedia = defineJob<unknown>({
  name: 'sweep-media',
  attempts: 1,
  every: '41 * * * *',
  async run(_payload, { database: { db }, media: { storage }, log }) {
    // A new film that could not be prepared is kept for a day, to be tried again.
    await db`
      with ended as (
        update videos set pending_source_id = null, updated_at = now() from sources
        where pending_source_id = sources._id and videos.site_id = sources.site_id
          and sources.status = 'failed' and sources.updated_at < now() - interval '1 day'
        returning sources.site_id, sources._id
      )
      update sources set replaced_at = now() from ended where sources.site_id = ended.site_id and sources._id = ended._id
    `
    // A source that was replaced is kept for as long as an address that was signed for it works.
    await db`delete from sources where replaced_at < now() - interval '1 day'`
    const old = new Map<string, Date>()
    for (const folder of ['sources', 'segments', 'pictures'])
      for await (const { key, modifiedAt } of storage.list(folder)) {
        const id = key.split('/')[1] ?? ''
        const known = old.get(id)
        if (!known || known < modifiedAt) old.set(id, modifiedAt)
      }
    const ids = [...old].filter(([, at]) => Date.now() - at.getTime() > youngestMs).map(([id]) => id)
    let removed = 0
    for (let from = 0; from < ids.length; from += step) {
      const some = ids.slice(from, from + step)
      const rows = await db<{ _id: string }[]>`
        select _id from sources where _id = any(${some}::text[])
        union all select poster_image_id from videos where poster_image_id = any(${some}::text[])
      `
      const kept = new Set(rows.map(({ _id }) => _id))
      for (const id of some.filter((each) => !kept.has(each))) {
        await db`delete from media_windows where source_id = ${id}`
        removed += await storage.removeUnder(`segments/${id}`)
        removed += await storage.removeUnder(picturesOf(id))
        removed += await storage.removeUnder(`sources/${id}`)
      }
    }
    if (removed > 0) log.info({ removed }, 'removed files that belong to no video')
  },
})
