import type { Db } from '../db/database.js'
import { usualRhythm } from '../queue/presence.js'
import { replacementReasons } from './sources.js'

/** While no living worker has ffmpeg, gives the videos that wait to be prepared this reason. */
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

/** Removes the reason again. */
export const endWaiting = (db: Db) => setReason(db, null, db`true`)

/** A video whose film failed before (`error`) keeps the reason of that failure. */
async function setReason(db: Db, reason: string | null, condition: ReturnType<Db>): Promise<void> {
  const text = db`
    case when media_source_id = sources._id then ${reason}::text else ${`${replacementReasons.processing} `} || ${reason}::text end
  `
  await db`
    update videos set status_reason = ${text}, updated_at = now() from sources
    where sources.status = 'processing' and replaced_at is null and error is null
      and videos.site_id = sources.site_id and videos._id = sources.video_id and deleted_at is null
      and sources._id in (media_source_id, pending_source_id) and status_reason is distinct from ${text}
      and ${condition}
  `
}
