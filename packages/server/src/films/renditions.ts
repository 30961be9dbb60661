import type { Db } from '../db/database.js'
import { type Fragment, sql } from '../db/fragment.js'
import { neededTracks, type RequestedFormats } from '../media-segments/published.js'
import type { TrackName } from '../media-segments/segment-keys.js'
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
import {
  changesStatus,
  moves,
  type StatusEvent,
  statusAfter,
  type VideoStatus,
  videoWith,
  writeWithStatus,
} from './status.js'

/** Whether the video is not deleted and still published from this source. Nothing is made ahead for other sources. */
export const isCurrent = async (db: Db, source: Source): Promise<boolean> =>
  (await wantedNow(db, source)) !== undefined

/** The formats that are wanted of a source; undefined if its video is deleted or published from another source. */
export async function wantedNow(
  db: Db,
  { site_id, _id, video_id }: Source,
): Promise<RequestedFormats | undefined> {
  const [video] = await db<{ wanted: RequestedFormats }[]>`
    select wanted_formats(site_id, formats) as wanted from videos
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null
  `
  return video?.wanted
}

/** The formats that are wanted of the video of a source. */
export async function wantedOf(db: Db, { site_id, video_id }: Source): Promise<RequestedFormats> {
  const [video] = await db<{ wanted: RequestedFormats }[]>`
    select wanted_formats(site_id, formats) as wanted from videos where site_id = ${site_id} and _id = ${video_id}
  `
  return video?.wanted ?? []
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
  const { site_id, _id, video_id } = source
  // The lock comes before counting, so that an older count cannot overwrite a newer one.
  const [video] = await tx<NotedVideo[]>`
    select status, status_reason, wanted_formats(site_id, formats) as wanted, (
      select sources.status = 'ready' from sources where site_id = ${site_id} and _id = ${_id}
    ) as is_prepared from videos
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null for update
  `
  if (!video?.is_prepared) return { isUnfinished: false }
  const note = await noteFor(tx, source, video.wanted)
  const status = statusAfter(video.status, note.event)
  const reason = reasonAfter(video, note)
  const isChanged = sql`
    (renditions, status, complete_at is not null, status_reason)
      is distinct from (${note.renditions}::text::jsonb, ${status}, ${note.isComplete}, ${reason})
  `
  const which = sql`${videoWith(site_id, video_id)} and ${isChanged}`
  await writeWithStatus(
    tx,
    [note.event],
    which,
    sql`${progressColumns(note, status)}, status_reason = ${reason}`,
  )
  return note
}

/** Publishes a prepared source in place of the one before it, together with its progress. The caller holds the video. */
export async function publishSource(tx: Db, source: Source, pending_source_id: string | null): Promise<void> {
  const { site_id, _id, video_id } = source
  const { duration } = source.plan.facts
  const note = await noteFor(tx, source, await wantedOf(tx, source))
  await writeWithStatus(
    tx,
    ['film_prepared', note.event],
    videoWith(site_id, video_id),
    sql`
      ${progressColumns(note, moves[note.event].to, _id)}, status_reason = ${note.reason}, media_source_id = ${_id},
      pending_source_id = ${pending_source_id}, preview_url = case when media_source_id = ${_id} then preview_url end,
      duration = ${Math.round(duration)}, precise_duration = ${duration}, transcoded = true
    `,
  )
}

interface NotedVideo {
  readonly status: VideoStatus
  readonly status_reason: string | null
  readonly wanted: RequestedFormats
  readonly is_prepared: boolean
}

interface ProgressNote {
  /** As JSON. */
  readonly renditions: string
  readonly event: StatusEvent
  readonly reason: string | null
  readonly isComplete: boolean
  readonly isUnfinished: boolean
}

/** What there is to write about a source, whose unwanted tracks are marked. */
async function noteFor(tx: Db, source: Source, wanted: RequestedFormats): Promise<ProgressNote> {
  const progress = { plan: source.plan, made: await madeOf(tx, source._id) }
  const renditions = renditionsOf(progress, wanted)
  await noteUnwanted(tx, source, progress, wanted)
  return {
    renditions: JSON.stringify(renditions),
    ...playability(progress, wanted, renditions),
    ...completion(progress, wanted, renditions),
  }
}

/** A status that stays keeps its reason, unless there is a new one. */
function reasonAfter({ status, status_reason }: NotedVideo, { event, reason }: ProgressNote): string | null {
  if (!changesStatus(status, event)) return status_reason
  return statusAfter(status, event) === status ? (reason ?? status_reason) : reason
}

/** With a source that is published now: only what was completed of that source counts. */
function progressColumns(
  { renditions, isComplete }: ProgressNote,
  status: VideoStatus,
  source_id?: string,
): Fragment {
  const completed =
    source_id === undefined
      ? sql`complete_at`
      : sql`case when media_source_id = ${source_id} then complete_at end`
  return sql`
    renditions = ${renditions}::text::jsonb,
    complete_at = case when ${isComplete} then coalesce(${completed}, now()) end,
    playable_at = case when ${status === 'ready'} then coalesce(playable_at, now()) else playable_at end
  `
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
  wanted: RequestedFormats,
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
