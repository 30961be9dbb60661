import type { Db } from '../db/database.js'
import { enqueueFiles, filesKind, type SourceJob } from '../films/film-jobs.js'
import { noteProgress, wantedNow } from '../films/renditions.js'
import type { FileFormat } from '../media/formats.js'
import { readSource } from '../media-segments/find-source.js'
import { ensureFile } from '../media-segments/make-file.js'
import type { TrackWindow } from '../media-segments/make-windows.js'
import { isHopeless, nextMissing } from '../media-segments/next-windows.js'
import {
  fileTrack,
  publishedFiles,
  type RequestedFormats,
  tracksOfFile,
} from '../media-segments/published.js'
import { removeTrack } from '../media-segments/remove-track.js'
import { webmTrack } from '../media-segments/segment-keys.js'
import { ensureWindow, whileUnasked } from '../media-segments/segments.js'
import type { Source } from '../media-segments/source-plan.js'
import { WindowFailed } from '../media-segments/window-store.js'
import { defineJob, type JobContext } from './define-job.js'

/** The next step: a window that a file is joined from, or the file itself. */
type Step = { readonly file: FileFormat; readonly window?: TrackWindow }

/** Makes the MP4 and the WebM of a video: the missing windows one by one, then the file. A crashed worker loses one step. */
export const files = defineJob<SourceJob>({
  ...filesKind,
  isBackground: true,
  needsFfmpeg: true,
  async run({ site_id, source_id }, { database, media, signal }) {
    const { db } = database
    const source = await readSource(db, site_id, source_id)
    const wanted = source && (await wantedNow(db, source))
    if (!wanted) return
    const step = await nextStep(db, source, wanted)
    try {
      if (step) await take(step, source, { database, media, ...(signal ? { signal } : {}) })
    } catch (error) {
      // This file stays missing, and its rendition says so. The other file can still be made.
      if (!(error instanceof WindowFailed)) throw error
    }
    await database.transaction(async (tx) => {
      if (!step?.window || step.window.number % 10 === 0) await noteProgress(tx, source)
      if (step) await enqueueFiles(tx, source, wanted)
    })
  },
})

async function nextStep(db: Db, { _id, plan }: Source, wanted: RequestedFormats): Promise<Step | undefined> {
  for (const file of publishedFiles(wanted)) {
    const tracks = tracksOfFile(plan, file)
    const isLeft = await nextMissing(db, _id, [fileTrack(file)], 1)
    if (!isLeft || (await isHopeless(db, _id, tracks))) continue
    const window = await nextMissing(db, _id, tracks, plan.windows.length)
    return window ? { file, window } : { file }
  }
  return undefined
}

async function take(
  { file, window }: Step,
  source: Source,
  { database, media, signal }: Pick<JobContext, 'database' | 'media' | 'signal'>,
): Promise<void> {
  if (window) return ensureWindow(media, source, window.track, window.number, { signal, nice: whileUnasked })
  await ensureFile(media, source, file, signal)
  // Nothing else is made from these windows. If this is interrupted, the sweep removes them as unwanted.
  if (file === 'webm_360p') await removeTrack(database.db, media, source._id, webmTrack)
}
