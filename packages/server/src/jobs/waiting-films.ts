import type { Db } from '../db/database.js'
import { usualRhythm } from '../queue/presence.js'
import { behind } from './prepare.job.js'

/** Says in the records of films that wait to be prepared why they wait, if no worker has ffmpeg. */
export const explainWaiting = (db: Db, reason: string) =>
  setReason(
    db,
    reason,
    db`
      not exists (
        select from workers
        where makes_windows and seen_at > now() - make_interval(secs => ${usualRhythm.silenceMs / 1000})
      )
    `,
  )

/** Takes the reason out of the records again. */
export const endWaiting = (db: Db) => setReason(db, null, db`true`)

/** Films that could not be prepared before (`error`) keep the reason of that. */
async function setReason(db: Db, reason: string | null, condition: ReturnType<Db>): Promise<void> {
  const text = db`
    case when media_source_id = sources._id then ${reason}::text else ${`${behind.processing} `} || ${reason}::text end
  `
  await db`
    update videos set status_reason = ${text}, updated_at = now() from sources
    where sources.status = 'processing' and replaced_at is null and error is null
      and videos.site_id = sources.site_id and videos._id = sources.video_id and deleted_at is null
      and sources._id in (media_source_id, pending_source_id) and status_reason is distinct from ${text}
      and ${condition}
  `
}
