import { followFormats } from '../films/formats.js'
import { readSource } from '../media-segments/find-source.js'
import { enqueue } from '../queue/enqueue.js'
import { defineJob } from './define-job.js'

interface ApplyFormats {
  readonly site_id: string
  /** The version of the channel's formats that is applied. If there is a newer one, this job stops. */
  readonly revision: number
  /** The last video that was handled. */
  readonly after: string
}

/** Lower priority than completing new videos. */
export const applyPriority = 120
const batch = 50

/** Updates the renditions of a channel's videos after its formats were changed, and enqueues what is missing. */
export const applyFormats = defineJob<ApplyFormats>({
  name: 'apply-formats',
  attempts: 25,
  isBackground: true,
  async run({ site_id, revision, after }, { database, signal }) {
    const { db } = database
    const [newest] = await db`select from formats where _id = ${site_id} and revision = ${revision}`
    if (!newest) return
    const videos = await db<{ _id: string; media_source_id: string }[]>`
      select _id, media_source_id from videos
      where site_id = ${site_id} and _id > ${after} and media_source_id is not null and deleted_at is null
      order by _id limit ${batch}
    `
    for (const { media_source_id } of videos) {
      signal?.throwIfAborted()
      const source = await readSource(db, site_id, media_source_id)
      if (source) await database.transaction((tx) => followFormats(tx, source))
    }
    const last = videos.at(-1)
    if (!last || videos.length < batch) return
    const next = { site_id, revision, after: last._id }
    await enqueue(db, applyFormats, next, { key: `${site_id}:${revision}`, priority: applyPriority })
  },
})
