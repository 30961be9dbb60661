import type { Db } from '../db/database.js'
import { audioTrack } from '../media-segments/segments.js'
import type { Source, SourcePlan } from '../media-segments/source-plan.js'

/** The tracks of a plan in the order in which they are made: what every viewer needs first. */
export const tracksOf = ({ rungs, audio }: SourcePlan): string[] => [
  ...(audio ? [audioTrack] : []),
  ...rungs.map(({ name }) => name),
]

/** Whether the video is still there and made from this source: for another nothing is made ahead. */
export async function isCurrent(db: Db, { site_id, _id, video_id }: Source): Promise<boolean> {
  const [video] = await db`
    select from videos
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null
  `
  return video !== undefined
}

interface Made {
  readonly track: string
  readonly windows: number
  readonly bytes: number
}

/** How far each rendition is at this moment, and whether that is all of it. */
export async function progressOf(db: Db, { _id, plan }: Source) {
  const rows = await db<Made[]>`
    select track, count(*)::integer as windows, sum(bytes)::float as bytes from media_windows
    where source_id = ${_id} and made_at is not null group by track
  `
  const made = new Map(rows.map((row) => [row.track, row]))
  const share = (track: string) => (made.get(track)?.windows ?? 0) / plan.windows.length
  const renditions = plan.rungs.map(({ name, width, height, averageRate }) => ({
    name,
    status: share(name) === 1 ? 'ready' : 'processing',
    progress: Math.floor(share(name) * 100),
    width,
    height,
    bitrate: Math.round(averageRate),
    filesize: Math.round(made.get(name)?.bytes ?? 0),
  }))
  return { renditions, isComplete: tracksOf(plan).every((track) => share(track) === 1) }
}

/** Writes how far each rendition is into the video's record; the last one finished completes it. */
export async function noteProgress(db: Db, source: Source): Promise<void> {
  const { site_id, _id, video_id } = source
  const { renditions, isComplete } = await progressOf(db, source)
  await db`
    update videos set renditions = ${JSON.stringify(renditions)}::text::jsonb, updated_at = now(),
      complete_at = case when ${isComplete} then coalesce(complete_at, now()) end
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null
  `
}
