import type { Db } from '../db/database.js'
import { sql } from '../db/fragment.js'
import { enqueueFill, enqueuePrepare } from '../films/film-jobs.js'
import { moveStatus } from '../films/status.js'
import { defineJob } from './define-job.js'

/** A source without a job. */
interface Lost {
  readonly site_id: string
  readonly source_id: string
}

const most = 500

/**
 * Repairs videos that are in progress according to their record but have no job: a job was lost, a video was deleted and
 * restored meanwhile, an upload never arrived. So no video is stuck for longer than a few minutes.
 */
export const rescueVideos = defineJob<unknown>({
  name: 'rescue-videos',
  attempts: 1,
  every: '*/3 * * * *',
  async run(_payload, { database: { db }, log }) {
    const unprepared = await findUnprepared(db)
    for (const source of unprepared) await enqueuePrepare(db, source)
    const unfilled = await findUnfilled(db)
    for (const source of unfilled) await enqueueFill(db, source)
    const failed = (await failWithoutFile(db)) + (await failWithoutUpload(db))
    const rescued = unprepared.length + unfilled.length
    if (rescued + failed > 0) log.info({ rescued, failed }, 'videos on which nobody worked were put right')
  },
})

/** A queued or retrying job counts as work in progress. The collation lets PostgreSQL use the index on the keys of jobs. */
const nobodyWorks = (db: Db) => db`
  not exists (
    select from graphile_worker.jobs
    where key = any(array['prepare:' || sources._id, 'fill:' || sources._id, 'files:' || sources._id] collate "default")
      and (locked_at is not null or attempts < max_attempts)
  )
`

/** Films that wait to be prepared, including replacements. */
const findUnprepared = (db: Db) => db<Lost[]>`
  select sources.site_id, sources._id as source_id
  from sources join videos on videos.site_id = sources.site_id and videos._id = sources.video_id
  where sources.status = 'processing' and replaced_at is null and sources.updated_at < now() - interval '2 minutes'
    and sources._id in (media_source_id, pending_source_id) and deleted_at is null
    and ${nobodyWorks(db)}
  order by sources.updated_at limit ${most}
`

/** Films that play and are incomplete, although nothing has failed. */
const findUnfilled = (db: Db) => db<Lost[]>`
  select sources.site_id, sources._id as source_id
  from videos join sources on sources.site_id = videos.site_id and sources._id = media_source_id
  where videos.status in ('ready', 'processing') and complete_at is null and media_source_id is not null
    and deleted_at is null and videos.updated_at < now() - interval '10 minutes' and sources.status = 'ready'
    and wanted_formats(videos.site_id, formats) <> '{}'
    and not exists (
      select from media_windows where source_id = sources._id and made_at is null and hopeless_window(media_windows)
    )
    and ${nobodyWorks(db)}
  order by videos.updated_at limit ${most}
`

const failWithoutFile = (db: Db) =>
  moveStatus(
    db,
    'film_lost',
    sql`
      deleted_at is null and updated_at < now() - interval '2 minutes' and not exists (
        select from sources where sources.site_id = videos.site_id and sources._id = media_source_id
      )
    `,
    sql`status_reason = 'Its file is lost. Upload it again.'`,
  )

const failWithoutUpload = (db: Db) =>
  moveStatus(
    db,
    'upload_lost',
    sql`
      deleted_at is null and updated_at < now() - interval '2 minutes'
        and not exists (
          select from uploads where uploads.site_id = videos.site_id and video_id = videos._id
            and finished_at is null and expires_at > now()
        )
        and not exists (
          select from video_imports where video_imports.site_id = videos.site_id and video_id = videos._id
            and video_imports.status in ('created', 'downloading')
        )
    `,
    sql`status_reason = 'Its file did not arrive. Upload it again.'`,
  )
