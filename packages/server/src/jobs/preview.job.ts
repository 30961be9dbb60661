import { join } from 'node:path'
import type { Db } from '../db/database.js'
import { previewKind, type SourceJob } from '../films/film-jobs.js'
import { pictureKey, picturesOf, pictureWord, previewFile } from '../films/pictures.js'
import { isCurrent } from '../films/renditions.js'
import { previewPlan } from '../media/preview-args.js'
import { runFfmpeg } from '../media/run-ffmpeg.js'
import { findSource } from '../media-segments/find-source.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import type { Source } from '../media-segments/source-plan.js'
import { withFilm } from '../media-segments/with-film.js'
import { defineJob } from './define-job.js'

const limits = { seconds: 600, outputBytes: 8 * 1024 ** 2 }
/** The best quality that keeps a page full of previews small. */
const qualities = [60, 35, 15]
const mostBytes = 400_000

/** Makes an animated picture from a few seconds of a video. */
export const preview = defineJob<SourceJob>({
  ...previewKind,
  needsFfmpeg: true,
  async run({ site_id, source_id }, { database: { db }, media, sealer, mediaUrl, signal }) {
    const source = await findSource(media.cache, db, site_id, source_id)
    if (!source?.plan.facts.video || !(await isCurrent(db, source))) return
    const { storage } = media
    const { facts } = source.plan
    const key = pictureKey(source_id, previewFile(pictureWord(sealer, source_id)))
    await storage.withScratch((folder) =>
      withFilm(storage, media.ffmpeg.need(), sourceKey(source_id), async (film, ffmpeg) => {
        const wish = { source: film, facts, canToneMap: ffmpeg.canToneMap }
        for (const quality of qualities) {
          const target = join(folder, `${quality}.webp`)
          await runFfmpeg(ffmpeg, previewPlan(wish, quality, target), { limits, nice: 10, signal })
          const { size } = await storage.putFile(key, target)
          if (size <= mostBytes) break
        }
      }),
    )
    if (!(await show(db, source, `${mediaUrl}/${key}`))) await storage.removeUnder(picturesOf(source_id))
  },
})

/** Whether this is still the video's source. */
async function show(db: Db, { site_id, video_id, _id }: Source, url: string): Promise<boolean> {
  const { count } = await db`
    update videos set preview_url = ${url}, updated_at = now()
    where site_id = ${site_id} and _id = ${video_id} and media_source_id = ${_id} and deleted_at is null
  `
  return count > 0
}
