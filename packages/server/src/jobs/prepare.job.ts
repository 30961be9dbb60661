import type { Database } from '../db/database.js'
import { sql } from '../db/fragment.js'
import { recordFilmTracks } from '../films/audio-tracks.js'
import {
  enqueueFiles,
  enqueueFill,
  enqueuePictures,
  enqueueSubtitles,
  prepareKind,
  type SourceJob,
} from '../films/film-jobs.js'
import { outageOf, reasonFor } from '../films/mishap.js'
import { publishSource, wantedOf } from '../films/renditions.js'
import { isSourceOf, lockVideo, replacementReasons, retireOthers } from '../films/sources.js'
import { videoWith, writeWithStatus } from '../films/status.js'
import { hlsFormats } from '../media/formats.js'
import { blamesFile } from '../media/media-error.js'
import { probeSource } from '../media/probe.js'
import { SourceRefused } from '../media/source-facts.js'
import { readSource } from '../media-segments/find-source.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { publishedTracks, publishesHls, type RequestedFormats } from '../media-segments/published.js'
import { audioTrack, isSound, sourceKey } from '../media-segments/segment-keys.js'
import { ensureWindow } from '../media-segments/segments.js'
import { planSource, type Source, type SourcePlan } from '../media-segments/source-plan.js'
import { WindowFailed } from '../media-segments/window-store.js'
import { withFilm } from '../media-segments/with-film.js'
import { defineJob } from './define-job.js'

const mostFailures = 3

/** Probes an uploaded file, plans how it is published, makes its first seconds, and publishes it. */
export const prepare = defineJob<SourceJob>({
  ...prepareKind,
  needsFfmpeg: true,
  async run({ site_id, source_id }, { database, media }) {
    const [source] = await database.db<{ video_id: string; plan: SourcePlan | null }[]>`
      select video_id, plan from sources
      where site_id = ${site_id} and _id = ${source_id} and replaced_at is null and status <> 'ready'
    `
    if (!source) return
    try {
      const plan = source.plan ?? (await look(media, source_id))
      const prepared: Source = { _id: source_id, site_id, video_id: source.video_id, plan }
      await keepPlan(database, prepared)
      const wanted = await wantedOf(database.db, prepared)
      await makeBeginning(media, prepared, wanted)
      await publish(database, prepared, wanted)
    } catch (error) {
      // The record says so if it lasts: see `explainWaiting`.
      if (outageOf(error)) throw error
      if (!(await noteFailure(database, { site_id, source_id }, source.video_id, error))) throw error
    }
  },
})

/** Another attempt changes nothing: the file cannot be published, or its first window was given up. */
const isFinal = (error: unknown) => error instanceof SourceRefused || error instanceof WindowFailed

async function look(media: MediaParts, source_id: string): Promise<SourcePlan> {
  const facts = await withFilm(media.storage, media.ffmpeg.need(), sourceKey(source_id), (film, ffmpeg) =>
    probeSource(ffmpeg, film),
  )
  return planSource(facts, hlsFormats)
}

async function keepPlan({ db }: Database, { site_id, _id, plan }: Source): Promise<void> {
  await db`
    update sources set plan = ${JSON.stringify(plan)}::text::jsonb, facts = ${JSON.stringify(plan.facts)}::text::jsonb,
      error = null, updated_at = now()
    where site_id = ${site_id} and _id = ${_id}
  `
}

/** Makes the first segments of the smallest rung and of the audio, with which a player can start. */
async function makeBeginning(media: MediaParts, source: Source, wanted: RequestedFormats): Promise<void> {
  const tracks = publishedTracks(source.plan, wanted)
  const smallest = tracks.find((track) => !isSound(track))
  const first = tracks.filter((track) => track === audioTrack || track === smallest)
  await Promise.all(
    first.map((track) => ensureWindow(media, source, track, 0, { nice: 0, need: 'preparing' })),
  )
}

/** Publishes the film in place of the one before it, and has the rest of it made. */
async function publish(database: Database, source: Source, wanted: RequestedFormats): Promise<void> {
  const { site_id, _id, video_id } = source
  await database.transaction(async (tx) => {
    const video = await lockVideo(tx, site_id, video_id)
    if (!video || !isSourceOf(video, _id)) return
    await tx`
      update sources set status = 'ready', updated_at = now() where site_id = ${site_id} and _id = ${_id}
    `
    // A source that arrived later stays pending.
    const pending = video.pending_source_id === _id ? null : video.pending_source_id
    await retireOthers(tx, site_id, video_id, [_id, pending])
    await recordFilmTracks(tx, source)
    // Uploaded audio tracks are part of what is published.
    await publishSource(tx, (await readSource(tx, site_id, _id)) ?? source, pending)
    await enqueuePictures(tx, { site_id, source_id: _id })
    if (source.plan.facts.subtitles) await enqueueSubtitles(tx, { site_id, source_id: _id })
    if (publishesHls(wanted)) await enqueueFill(tx, { site_id, source_id: _id })
    else await enqueueFiles(tx, source, wanted)
  })
}

/** What a failed attempt means for the status of the video. Ready: another attempt has published the film meanwhile. */
const outcomes = { processing: ['attempt_failed'], ready: [], failed: ['film_refused'] } as const

/** Writes into the record what went wrong, and returns whether that is final. Errors not caused by the file are retried indefinitely. */
function noteFailure(
  database: Database,
  { site_id, source_id }: SourceJob,
  video_id: string,
  error: unknown,
): Promise<boolean> {
  const message = reasonFor(error, 'It could not be prepared.')
  return database.transaction(async (tx) => {
    const video = await lockVideo(tx, site_id, video_id)
    if (!video || !isSourceOf(video, source_id)) return true
    const [source] = await tx<{ status: 'processing' | 'ready' | 'failed' }[]>`
      update sources set error = ${message.slice(0, 2000)}, updated_at = now(),
        failures = failures + ${blamesFile(error) ? 1 : 0},
        status = case when ${isFinal(error)} or failures + 1 >= ${mostFailures} and ${blamesFile(error)}
          then 'failed' else status end
      where site_id = ${site_id} and _id = ${source_id} returning status
    `
    const status = source?.status ?? 'failed'
    const isReplacement = video.media_source_id !== source_id
    const reason = isReplacement ? `${replacementReasons[status]} ${message}` : message
    const which = videoWith(site_id, video_id)
    const columns = sql`status_reason = ${reason.slice(0, 2000)}`
    await writeWithStatus(tx, isReplacement ? [] : outcomes[status], which, columns)
    return status === 'failed'
  })
}
