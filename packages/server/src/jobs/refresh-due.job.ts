import { enqueue } from '../queue/enqueue.js'
import { defineJob } from './define-job.js'
import { refreshGuide } from './refresh-guide.job.js'
import { refreshSource } from './refresh-source.job.js'

const mostAtOnce = 500

/** Enqueues the reading of feeds and programme guides that are due. */
export const refreshDue = defineJob<unknown>({
  name: 'refresh-due',
  attempts: 1,
  every: '* * * * *',
  async run(_payload, { database }) {
    await database.transaction(async (tx) => {
      const guides = await tx<{ site_id: string; _id: string }[]>`
        update program_guides set refresh_at = now() + interval '1 hour'
        where (site_id, _id) in (
          select site_id, _id from program_guides where refresh_at <= now()
          order by refresh_at limit ${mostAtOnce} for update skip locked
        )
        returning site_id, _id
      `
      for (const { site_id, _id } of guides)
        await enqueue(tx, refreshGuide, { site_id, guide_id: _id }, { key: _id, keepsPlace: true })
      const sources = await tx<{ site_id: string; _id: string }[]>`
        update video_sources set refresh_at = now() + reading_pause(sync_interval)
        where (site_id, _id) in (
          select site_id, _id from video_sources where refresh_at <= now()
          order by refresh_at limit ${mostAtOnce} for update skip locked
        )
        returning site_id, _id
      `
      for (const { site_id, _id } of sources)
        await enqueue(tx, refreshSource, { site_id, source_id: _id }, { key: _id, keepsPlace: true })
    })
  },
})
