import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type SourceJob, storyboardKind } from '../films/film-jobs.js'
import { cuesFile, pictureKey, picturesOf, sheetFile, storyboardWord } from '../films/pictures.js'
import { isCurrent } from '../films/renditions.js'
import { planStoryboard, storyboardCues, storyboardPlan } from '../media/picture-args.js'
import { runFfmpeg } from '../media/run-ffmpeg.js'
import { findSource } from '../media-segments/find-source.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { withFilm } from '../media-segments/with-film.js'
import { defineJob } from './define-job.js'

const limits = { seconds: 3600, outputBytes: 256 * 1024 ** 2 }

/** Makes the small pictures that a player shows while a viewer seeks. */
export const storyboard = defineJob<SourceJob>({
  ...storyboardKind,
  isBackground: true,
  needsFfmpeg: true,
  async run({ site_id, source_id }, { database: { db }, media, sealer, signal }) {
    const source = await findSource(media.cache, db, site_id, source_id)
    if (!source?.plan.facts.video || !(await isCurrent(db, source))) return
    const { storage } = media
    const { facts } = source.plan
    const board = planStoryboard(facts)
    const word = storyboardWord(sealer, source_id)
    await storage.withScratch(async (folder) => {
      await withFilm(storage, media.ffmpeg.need(), sourceKey(source_id), (film, ffmpeg) => {
        const wish = { source: film, facts, canToneMap: ffmpeg.canToneMap }
        return runFfmpeg(ffmpeg, storyboardPlan(wish, board, folder), { limits, nice: 10, signal })
      })
      for (let sheet = 0; sheet < board.sheets; sheet += 1)
        await storage.putFile(pictureKey(source_id, sheetFile(sheet, word)), join(folder, `${sheet}.jpg`))
    })
    // Stored last, so that the sheets exist once it does.
    const cues = storyboardCues(board, facts.duration, (sheet) => sheetFile(sheet, word))
    await storage.put(pictureKey(source_id, cuesFile(word)), Readable.from([Buffer.from(cues)]))
    if (!(await isCurrent(db, source))) await storage.removeUnder(picturesOf(source_id))
  },
})
