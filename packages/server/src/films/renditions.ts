import type { Db } from '../db/database.js'
import { neededTracks, type Wanted } from '../media-segments/published.js'
import type { TrackName } from '../media-segments/segments.js'
import type { Source } from '../media-segments/source-plan.js'
import {
  completion,
  isMade,
  type MadeTrack,
  playability,
  type Rendition,
  renditionsOf,
  type SourceProgress,
} from './progress.js'

/** Whether the video is not deleted and still published from this source. Nothing is made ahead for other sources. */
export const isCurrent = async (db: Db, source: Source): Promise<boolean> =>
  (await wantedNow(db, source)) !== undefined

/** The formats that are wanted of a source; undefined if its video is deleted or published from another source. */
export async function wantedNow(db: Db, { site_id, _id, video_id }: Source): Promise<Wanted | undefined> {
  const [video] = await db<{ wanted: Wanted }[]>`
    select wanted_formats(site_id, formats) as wanted from videos
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null
  `
  return video?.wanted
}

/** The progress of each wanted format. */
export async function progressOf(db: Db, source: Source): Promise<Rendition[]> {
  const wanted = (await wantedNow(db, source)) ?? []
  return renditionsOf({ plan: source.plan, made: await madeOf(db, source._id) }, wanted)
}

/**
 * Writes the progress of each wanted format into the video's record, in the caller's transaction; the last one that is
 * finished completes the video. Also marks tracks that are made and no longer wanted. Returns whether anything is left to make.
 */
export async function noteProgress(tx: Db, source: Source): Promise<{ readonly isUnfinished: boolean }> {
  const { site_id, _id, video_id, plan } = source
  // The lock comes before counting, so that an older count cannot overwrite a newer one.
  const [video] = await tx<{ status: string; wanted: Wanted; is_prepared: boolean }[]>`
    select status, wanted_formats(site_id, formats) as wanted, (
      select sources.status = 'ready' from sources where site_id = ${site_id} and _id = ${_id}
    ) as is_prepared from videos
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null for update
  `
  if (!video?.is_prepared) return { isUnfinished: false }
  const { wanted } = video
  const progress = { plan, made: await madeOf(tx, _id) }
  const renditions = renditionsOf(progress, wanted)
  const { status, reason } =
    // Another film is on its way, which the status says.
    video.status === 'uploading'
      ? { status: video.status, reason: null }
      : playability(progress, wanted, renditions)
  const { isComplete, isUnfinished } = completion(progress, wanted, renditions)
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
  await noteUnwanted(tx, source, progress, wanted)
  return { isUnfinished }
}

async function madeOf(db: Db, source_id: string): Promise<ReadonlyMap<TrackName, MadeTrack>> {
  const rows = await db<MadeTrack[]>`
    select track, count(made_at)::integer as windows, coalesce(sum(bytes), 0)::float as bytes,
      bool_or(made_at is null and hopeless_window(media_windows)) as hopeless, max(error) as error
    from media_windows where source_id = ${source_id} group by track
  `
  return new Map(rows.map((row) => [row.track, row]))
}

async function noteUnwanted(
  tx: Db,
  { site_id, _id, plan }: Source,
  progress: SourceProgress,
  wanted: Wanted,
): Promise<void> {
  const needed = neededTracks(plan, wanted, (file) => isMade(progress, file))
  const left = [...progress.made.keys()].filter((track) => !needed.has(track))
  await tx`delete from unwanted_tracks where source_id = ${_id} and track <> all(${left}::text[])`
  if (left.length === 0) return
  await tx`
    insert into unwanted_tracks (site_id, source_id, track) select ${site_id}, ${_id}, unnest(${left}::text[])
    on conflict do nothing
  `
}
