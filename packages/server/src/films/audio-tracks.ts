import { limits } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { invalid, notFound } from '../errors.js'
import { newId } from '../lib/object-id.js'
import { SourceRefused } from '../media/source-facts.js'
import { audioTrack } from '../media-segments/segment-keys.js'
import type { Source } from '../media-segments/source-plan.js'
import type { Scope } from '../resources/store.js'
import { lockVideo } from './sources.js'

/** Locks a video, so that concurrent changes to its audio tracks stay consistent. */
export async function holdVideoOf(tx: Db, { site_id, video_id = '' }: Scope): Promise<void> {
  if (!(await lockVideo(tx, site_id, video_id))) throw notFound('video')
}

export async function checkTrackCount(tx: Db, { site_id, video_id = '' }: Scope): Promise<void> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from audio_tracks where site_id = ${site_id} and video_id = ${video_id}
  `
  const most = limits.audio_tracks.value
  if ((row?.count ?? 0) >= most) throw invalid(`A video has at most ${most} audio tracks. Remove one first.`)
}

/** Makes a track the only default of its video. */
export async function clearOtherDefaults(
  tx: Db,
  { site_id, video_id = '' }: Scope,
  _id: string,
): Promise<void> {
  await tx`
    update audio_tracks set "default" = false, updated_at = now()
    where site_id = ${site_id} and video_id = ${video_id} and "default" and _id <> ${_id}
  `
}

/** Whether a video has a default that viewers can choose. */
export async function hasDefault(tx: Db, { site_id, video_id = '' }: Scope): Promise<boolean> {
  const rows = await tx`
    select from audio_tracks
    where site_id = ${site_id} and video_id = ${video_id} and active and "default" limit 1
  `
  return rows.length > 0
}

/** Without a default that viewers can choose, the main audio of the film becomes it, or else the oldest track. */
export async function keepDefault(tx: Db, { site_id, video_id = '' }: Scope): Promise<void> {
  await tx`
    update audio_tracks set "default" = not "default", updated_at = now()
    where site_id = ${site_id} and video_id = ${video_id} and "default" <> (_id = (
      select _id from audio_tracks as each
      where site_id = ${site_id} and video_id = ${video_id} and active
      order by "default" desc, (track is not distinct from ${audioTrack}) desc, created_at, _id limit 1
    ))
  `
}

/** Lists the audio tracks of a film that is published now, in place of those of the film before it. */
export async function recordFilmTracks(tx: Db, { site_id, _id, video_id, plan }: Source): Promise<void> {
  await tx`
    delete from audio_tracks
    where site_id = ${site_id} and video_id = ${video_id} and source_id is not null and source_id <> ${_id}
  `
  const { facts, audio, others = [] } = plan
  const main = audio && facts.audio ? [{ track: audioTrack, audio: facts.audio }] : []
  const inFile = [...main, ...others.filter(({ file }) => file === undefined)]
  // Their records are listed in the order of creation, which is that of the file.
  for (const { track, audio: found } of inFile.sort((a, b) => a.audio.index - b.audio.index)) {
    const known = JSON.stringify({ duration: facts.duration, audio: found })
    const title = found.language === undefined ? (found.title ?? null) : null
    await tx`
      insert into audio_tracks (_id, site_id, video_id, source_id, track, language, title, kind, facts, status)
      values (${newId()}, ${site_id}, ${video_id}, ${_id}, ${track}, ${found.language ?? null}, ${title},
        ${found.kind ?? 'main'}, ${known}::text::jsonb, 'ready')
      on conflict (site_id, source_id, track) where source_id is not null do nothing
    `
  }
  await keepDefault(tx, { site_id, video_id })
  const uploaded = await tx<{ _id: string; duration: number | null }[]>`
    select _id, duration from audio_tracks
    where site_id = ${site_id} and video_id = ${video_id} and source_id is null and duration is not null
  `
  for (const { _id: id, duration } of uploaded)
    await tx`
      update audio_tracks set notice = ${fitNotice(duration ?? 0, facts.duration)}
      where site_id = ${site_id} and _id = ${id}
    `
}

/** A difference that nobody notices, in seconds. */
const tolerated = 0.5
/** Beyond both, the audio belongs to another film. */
const farOff = { factor: 2, seconds: 10 }

/** How audio of this length is fitted to the film, as a sentence; null if there is nothing to say. */
export function fitNotice(seconds: number, filmSeconds: number): string | null {
  const longer = seconds - filmSeconds
  if (Math.abs(longer) <= tolerated) return null
  const by = `${Math.abs(longer).toFixed(1)} s`
  return longer > 0
    ? `The audio is ${by} longer than the video. Its end is left out.`
    : `The audio is ${by} shorter than the video, which ends in silence.`
}

/** Throws if audio of this length cannot belong to the film. */
export function checkLength(seconds: number, filmSeconds: number): void {
  const factor = Math.max(seconds, filmSeconds) / Math.min(seconds, filmSeconds)
  if (factor <= farOff.factor || Math.abs(seconds - filmSeconds) <= farOff.seconds) return
  throw new SourceRefused(
    'damaged',
    `The audio lasts ${inMinutes(seconds)} and the video ${inMinutes(filmSeconds)}. Upload audio of about the same length.`,
  )
}

const inMinutes = (seconds: number) =>
  seconds < 120 ? `${Math.round(seconds)} seconds` : `${Math.round(seconds / 60)} minutes`
