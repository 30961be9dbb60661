import type { Db } from '../db/database.js'
import { enqueueFiles, enqueueLane, type FillJob, fillKind } from '../films/film-jobs.js'
import { noteProgress, wantedNow } from '../films/renditions.js'
import { nextWindows } from '../media-segments/next-windows.js'
import {
  fileTrack,
  neededTracks,
  publishedFiles,
  type RequestedFormats,
} from '../media-segments/published.js'
import type { TrackName } from '../media-segments/segment-keys.js'
import { ensureAhead } from '../media-segments/segments.js'
import { findSource, type Source } from '../media-segments/source-plan.js'
import { WindowFailed } from '../media-segments/window-store.js'
import { defineJob } from './define-job.js'

const lookAgainSeconds = 1

/**
 * Makes what nobody has asked for yet until every wanted rendition is whole: some windows, then a job like this one for the
 * next; then the files have their turn. What is missing is looked up anew each time, so it may begin again at any time. A
 * lost worker costs one window.
 */
export const fill = defineJob<FillJob>({
  ...fillKind,
  isBackground: true,
  needsFfmpeg: true,
  async run({ site_id, source_id, lane }, { database, media }) {
    const { db } = database
    const source = await findSource(db, site_id, source_id)
    const wanted = source && (await wantedNow(db, source))
    if (!wanted) return
    const { windows, areHeld } = await nextWindows(db, source, await tracksToFill(db, source, wanted))
    if (windows.length === 0)
      return database.transaction(async (tx) => {
        await noteProgress(tx, source)
        await enqueueFiles(tx, source, wanted)
      })
    // Whoever makes them may be killed, so one looks again.
    if (areHeld)
      return lane === 0 ? enqueueLane(db, { site_id, source_id, lane }, lookAgainSeconds) : undefined
    try {
      await ensureAhead(media, source, windows)
    } catch (error) {
      // The rest of the video may well be made; this window stays missing, and whoever asks for it is told why.
      if (!(error instanceof WindowFailed)) throw error
    }
    await database.transaction(async (tx) => {
      await noteProgress(tx, source)
      await enqueueLane(tx, { site_id, source_id, lane })
    })
  },
})

/** The tracks of the playlists, and those that files are still to be joined from. */
async function tracksToFill(db: Db, { _id, plan }: Source, wanted: RequestedFormats): Promise<TrackName[]> {
  const files = publishedFiles(wanted).map(fileTrack)
  const rows = await db<{ track: TrackName }[]>`
    select track from media_windows
    where source_id = ${_id} and track = any(${files}::text[]) and made_at is not null
  `
  const made = new Set(rows.map(({ track }) => track))
  const needed = neededTracks(plan, wanted, (file) => made.has(fileTrack(file)))
  return [...needed].filter((track) => !files.includes(track))
}
