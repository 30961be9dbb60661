import type { Db } from '../db/database.js'
import { type Fragment, sql } from '../db/fragment.js'
import { usualRhythm } from '../queue/presence.js'
import { isHeldUp, livingRunners } from '../queue/queue-state.js'
import type { Outage } from './mishap.js'
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

/** When a film counts as waiting. Tests shorten it. */
export interface WaitingPatience {
  /** How long something that it needs may be away. */
  readonly outageSeconds: number
  /** How long due jobs may be in nobody's hands. */
  readonly unservedSeconds: number
}

export const usualWaitingPatience: WaitingPatience = { outageSeconds: 60, unservedSeconds: 30 }

/** How reasons begin that are given here. Others are never replaced. */
const beginning = 'Waiting since '

/** For publishers: what is waited for. Details are for the operator, and in the log. */
const outages: Readonly<Record<Exclude<Outage, 'database'>, string>> = {
  'media storage':
    'the media storage does not accept or send files at the moment. It goes on by itself when it does.',
  disk: 'the disk of the server is full. It goes on by itself when there is room again.',
  machine: 'the server is too busy to process it. It goes on by itself when there is time.',
}
const nobody = 'no worker is running that could process it. It goes on by itself when one is.'

/**
 * Gives films and imports that wait a reason that says for what and since when, and takes it away when they go on. `unserved`
 * names the kinds of jobs that nobody takes.
 */
export async function explainHeldUp(
  db: Db,
  unserved: readonly string[],
  patience: WaitingPatience = usualWaitingPatience,
): Promise<void> {
  const ofFilm = reasonWith(
    sql`
      case when status = 'processing' then
        array['prepare:' || media_source_id, 'files:' || media_source_id, 'fill:' || media_source_id]
      else array['prepare:' || pending_source_id] end
    `,
    unserved,
    patience,
  )
  const replacement = `${replacementReasons.processing} `
  await db`
    with found as (
      select site_id as site, _id as video, case when status = 'processing' then '' else ${replacement} end || ${ofFilm} as reason
      from videos where deleted_at is null and (status = 'processing' or pending_source_id is not null)
    )
    update videos set status_reason = reason, updated_at = now() from found
    where site_id = site and _id = video and ${isToChange}
  `
  await db`
    with found as (
      select site_id as site, _id as import, ${reasonWith(sql`array['import:' || _id]`, unserved, patience)} as reason
      from video_imports where status in ('created', 'downloading')
    )
    update video_imports set status_reason = reason, updated_at = now() from found
    where site_id = site and _id = import and ${isToChange}
  `
}

const isToChange = sql`
  status_reason is distinct from reason and (status_reason is null or strpos(status_reason, ${beginning}) > 0)
`

/** Why the oldest of the jobs with these keys waits, as a sentence; null if none does. The collation is that of their index. */
function reasonWith(
  keys: Fragment,
  unserved: readonly string[],
  { outageSeconds, unservedSeconds }: WaitingPatience,
): Fragment {
  const isDue = sql`
    run_at < now() - make_interval(secs => ${unservedSeconds}) and split_part(key, ':', 1) = any(${unserved}::text[])
      and (locked_by is null or locked_by <> all(${livingRunners}))
  `
  const whens = Object.entries(outages).map(
    ([what, why]) => sql`when ${isHeldUp(what, outageSeconds)} then ${why}`,
  )
  const outage = whens.reduce((left, right) => sql`${left} ${right}`)
  return sql`(
    select ${beginning} || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC: ' || why
    from (
      select created_at, case ${outage} when ${isDue} then ${nobody} end as why
      from graphile_worker._private_jobs where key = any(${keys} collate "default")
    ) as jobs
    where why is not null order by created_at limit 1
  )`
}
