import type { Database } from '../db/database.js'
import { checkLength, fitNotice } from '../films/audio-tracks.js'
import { type AudioJob, prepareAudioKind } from '../films/film-jobs.js'
import { followFormatsOf } from '../films/formats.js'
import { reasonFor } from '../films/mishap.js'
import { blamesFile } from '../media/media-error.js'
import { probeSource } from '../media/probe.js'
import { type SourceFacts, SourceRefused } from '../media/source-facts.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { withFilm } from '../media-segments/with-film.js'
import { defineJob } from './define-job.js'

const mostFailures = 3

interface UploadedAudio extends AudioJob {
  readonly video_id: string
  readonly file_id: string
}

/** Analyses an uploaded audio track and publishes it with its film. Its segments are made like those of the film. */
export const prepareAudio = defineJob<AudioJob>({
  ...prepareAudioKind,
  needsFfmpeg: true,
  async run({ site_id, audio_track_id }, { database, media }) {
    const [row] = await database.db<Pick<UploadedAudio, 'video_id' | 'file_id'>[]>`
      select video_id, file_id from audio_tracks
      where site_id = ${site_id} and _id = ${audio_track_id} and status = 'processing' and file_id is not null
    `
    if (!row) return
    const track = { site_id, audio_track_id, ...row }
    try {
      const key = sourceKey(row.file_id)
      const facts = await withFilm(media.storage, media.ffmpeg.need(), key, (film, ffmpeg) =>
        probeSource(ffmpeg, film),
      )
      await publish(database, track, soundOf(facts))
    } catch (error) {
      if (!(await noteFailure(database, track, error))) throw error
    }
  },
})

/** Only the sound of a file with pictures is used. */
function soundOf({ container, bytes, duration, audio }: SourceFacts): SourceFacts {
  if (!audio) throw new SourceRefused('no_streams', 'The file has no audio.')
  return { container, bytes, duration, audio }
}

async function publish(
  database: Database,
  { site_id, video_id, audio_track_id }: UploadedAudio,
  facts: SourceFacts,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [video] = await tx<{ seconds: number | null; is_removed: boolean }[]>`
      select precise_duration as seconds, deleted_at is not null as is_removed from videos
      where site_id = ${site_id} and _id = ${video_id} for update
    `
    if (!video) return
    if (video.seconds) checkLength(facts.duration, video.seconds)
    await tx`
      update audio_tracks set status = 'ready', facts = ${JSON.stringify(facts)}::text::jsonb, error = null,
        notice = ${video.seconds ? fitNotice(facts.duration, video.seconds) : null}, updated_at = now()
      where site_id = ${site_id} and _id = ${audio_track_id} and status = 'processing'
    `
    if (!video.is_removed) await followFormatsOf(tx, site_id, video_id)
  })
}

/** Writes into the record what went wrong, and returns whether that is final. Errors not caused by the file are retried. */
async function noteFailure(
  { db }: Database,
  { site_id, audio_track_id }: UploadedAudio,
  error: unknown,
): Promise<boolean> {
  const message = reasonFor(error, 'It could not be prepared.')
  const isRefused = error instanceof SourceRefused
  const [row] = await db<{ status: string }[]>`
    update audio_tracks set error = ${message.slice(0, 2000)}, updated_at = now(),
      failures = failures + ${blamesFile(error) ? 1 : 0},
      status = case when ${isRefused} or failures + 1 >= ${mostFailures} and ${blamesFile(error)}
        then 'failed' else status end
    where site_id = ${site_id} and _id = ${audio_track_id} and status = 'processing' returning status
  `
  return row?.status !== 'processing'
}
