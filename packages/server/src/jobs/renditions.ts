import type { Db } from '../db/database.js'
import { neededTracks, type Wanted } from '../media-segments/published.js'
import type { TrackName } from '../media-segments/segments.js'
import type { Source } from '../media-segments/source-plan.js'
import {
  completion,
  isMade,
  type Made,
  playability,
  type Rendition,
  renditionsOf,
  type Standing,
} from './progress.js'

/** Whether the video is still there and made from this source: for another nothing is made ahead. */
export const isCurrent = async (db: Db, source: Source): Promise<boolean> =>
  (await wantedNow(db, source)) !== undefined

/** The formats that are wanted of a source; undefined when its video is gone, or made from another by now. */
export async function wantedNow(db: Db, { site_id, _id, video_id }: Source): Promise<Wanted | undefined> {
  const [video] = await db<{ wanted: Wanted }[]>`
    select wanted_formats(site_id, formats) as wanted from videos
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null
  `
  return video?.wanted
}

/** How far each wanted format is at this moment. */
export async function progressOf(db: Db, source: Source): Promise<Rendition[]> {
  const wanted = (await wantedNow(db, source)) ?? []
  return renditionsOf({ plan: source.plan, made: await madeOf(db, source._id) }, wanted)
}

/**
 * Writes how far each wanted format is into the video's record, in the caller's transaction; the last one finished
 * completes it. Also notes what is made and no longer wanted. Answers whether there is something left to make.
 */
export async function noteProgress(tx: Db, source: Source): Promise<{ readonly isUnfinished: boolean }> {
  const { site_id, _id, video_id, plan } = source
  // One after another: whoever counts first must not write last.
  const [video] = await tx<{ status: string; wanted: Wanted; is_prepared: boolean }[]>`
    select status, wanted_formats(site_id, formats) as wanted, (
      select sources.status = 'ready' from sources where site_id = ${site_id} and _id = ${_id}
    ) as is_prepared from videos
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null for update
  `
  if (!video?.is_prepared) return { isUnfinished: false }
  const { wanted } = video
  const standing = { plan, made: await madeOf(tx, _id) }
  const renditions = renditionsOf(standing, wanted)
  const { status, reason } =
    // Another film is on its way, and that is what is said of the video.
    video.status === 'uploading'
      ? { status: video.status, reason: null }
      : playability(standing, wanted, renditions)
  const { isComplete, isUnfinished } = completion(standing, wanted, renditions)
  await tx`
    update videos set renditions = ${JSON.stringify(renditions)}::text::jsonb, updated_at = now(),
      complete_at = case when ${isComplete} then coalesce(complete_at, now()) end,
      playable_at = case when ${status === 'ready'} then coalesce(playable_at, now()) else playable_at end,
      status_reason = case when status = ${status} then coalesce(${reason}, status_reason) else ${reason} end,
      status = ${status}
    where site_id = ${site_id} and _id = ${video_id}
      and (renditions, status, complete_at is not null, status_reason) is distinct from
        (${JSON.stringify(renditions)}::text::jsonb, ${status}, ${isComplete}, coalesce(${reason}, status_reason))
  `
  await noteUnwanted(tx, source, standing, wanted)
  return { isUnfinished }
}

async function madeOf(db: Db, source_id: string): Promise<ReadonlyMap<TrackName, Made>> {
  const rows = await db<Made[]>`
    select track, count(made_at)::integer as windows, coalesce(sum(bytes), 0)::float as bytes,
      bool_or(made_at is null and hopeless_window(media_windows)) as hopeless, max(error) as error
    from media_windows where source_id = ${source_id} group by track
  `
  return new Map(rows.map((row) => [row.track, row]))
}

async function noteUnwanted(
  tx: Db,
  { site_id, _id, plan }: Source,
  standing: Standing,
  wanted: Wanted,
): Promise<void> {
  const needed = neededTracks(plan, wanted, (file) => isMade(standing, file))
  const left = [...standing.made.keys()].filter((track) => !needed.has(track))
  await tx`delete from unwanted_tracks where source_id = ${_id} and track <> all(${left}::text[])`
  if (left.length === 0) return
  await tx`
    insert into unwanted_tracks (site_id, source_id, track) select ${site_id}, ${_id}, unnest(${left}::text[])
    on conflict do nothing
  `
}
