import { type ImportJob, importKind } from '../films/film-jobs.js'
import { enqueue } from '../queue/enqueue.js'
import { defineJob } from './define-job.js'

/** Enqueues imports that stopped because their process was killed or their job was lost. */
export const resumeImports = defineJob<unknown>({
  name: 'resume-imports',
  attempts: 1,
  every: '* * * * *',
  async run(_payload, { database: { db } }) {
    const lost = await db<ImportJob[]>`
      select site_id, _id as import_id, media_source_id from video_imports
      where status in ('created', 'downloading') and video_id is not null
        and coalesce(held_until, updated_at) < now() - interval '10 seconds'
      order by created_at limit 1000
    `
    for (const { site_id, import_id, media_source_id } of lost)
      await enqueue(
        db,
        importKind,
        { site_id, import_id, media_source_id },
        { key: import_id, keepsPlace: true },
      )
  },
})
