import { limits } from '@zoetrope/contract'
import { type SourceJob, subtitlesKind } from '../films/film-jobs.js'
import { addFilmSubtitles, awaitsSubtitles, type FilmSubtitle } from '../films/film-subtitles.js'
import { runFfmpeg, type TakeOutput } from '../media/run-ffmpeg.js'
import type { SubtitleFacts } from '../media/source-facts.js'
import { notNegative, subtitlesPlan } from '../media/subtitle-args.js'
import { findSource } from '../media-segments/find-source.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { whileUnasked } from '../media-segments/segments.js'
import type { Source } from '../media-segments/source-plan.js'
import { withFilm } from '../media-segments/with-film.js'
import { defineJob } from './define-job.js'

const seconds = 3600

/** Imports the subtitles inside the file of a film. They are text between the pictures, so the whole file is read. */
export const subtitles = defineJob<SourceJob>({
  ...subtitlesKind,
  isBackground: true,
  needsFfmpeg: true,
  async run({ site_id, source_id }, { database, media, sealer, playerUrl, signal }) {
    const source = await findSource(media.cache, database.db, site_id, source_id)
    const tracks = source?.plan.facts.subtitles
    if (!tracks || !(await awaitsSubtitles(database.db, source))) return
    await addFilmSubtitles(
      database,
      { sealer, playerUrl },
      source,
      await extract(media, source, tracks, signal),
    )
  },
})

async function extract(
  media: MediaParts,
  { _id, plan }: Source,
  tracks: readonly SubtitleFacts[],
  signal?: AbortSignal,
): Promise<FilmSubtitle[]> {
  const found = tracks.map(() => gather(limits.subtitle_bytes.value))
  await withFilm(media.storage, media.ffmpeg.need(), sourceKey(_id), (film, ffmpeg) =>
    runFfmpeg(ffmpeg, subtitlesPlan(film, plan.facts, tracks), {
      outputs: found.map(({ take }) => take),
      limits: { seconds },
      nice: whileUnasked,
      ...(signal ? { signal } : {}),
    }),
  )
  return tracks.map((track, index) => ({ ...track, vtt: found[index]?.bytes() }))
}

/** Collects an output up to a size. The rest is dropped, and so is all of it then. */
function gather(most: number): { take: TakeOutput; bytes(): Buffer | undefined } {
  const chunks: Buffer[] = []
  let size = 0
  return {
    async take(output) {
      for await (const chunk of output) {
        size += chunk.length
        if (size > most) return
        chunks.push(chunk)
      }
    },
    bytes: () => (size > most ? undefined : Buffer.from(notNegative(Buffer.concat(chunks).toString()))),
  }
}
