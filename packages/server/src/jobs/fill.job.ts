import type { Db } from '../db/database.js'
import { enqueueFiles, enqueueSlot, type FillJob, fillKind } from '../films/film-jobs.js'
import { noteProgress, wantedNow } from '../films/renditions.js'
import { readSource } from '../media-segments/find-source.js'
import { nextWindows } from '../media-segments/next-windows.js'
import {
  fileTrack,
  neededTracks,
  publishedFiles,
  type RequestedFormats,
} from '../media-segments/published.js'
import type { TrackName } from '../media-segments/segment-keys.js'
import { ensureAhead } from '../media-segments/segments.js'
import type { Source } from '../media-segments/source-plan.js'
import { WindowFailed } from '../media-segments/window-store.js'
import { defineJob } from './define-job.js'

const lookAgainSeconds = 1

/**
 * Makes the windows that no viewer waits for, until every enabled rendition is complete: some windows, then another job like
 * this one; the files come last. Each job looks up what is missing, so it can be started at any time. A crashed worker
 * loses one window.
 */
export const fill = defineJob<FillJob>({
  ...fillKind,
  isBackground: true,
  needsFfmpeg: true,
  async run({ site_id, source_id, slot }, { database, media }) {
    const { db } = database
    const source = await readSource(db, site_id, source_id)
    const wanted = source && (await wantedNow(db, source))
    if (!wanted) return
    const { windows, areHeld } = await nextWindows(db, source, await tracksToFill(db, source, wanted))
    if (windows.length === 0)
      return database.transaction(async (tx) => {
        await noteProgress(tx, source)
        await enqueueFiles(tx, source, wanted)
      })
    // The process that makes them may be killed, so this job checks again.
    if (areHeld)
      return slot === 0 ? enqueueSlot(db, { site_id, source_id, slot }, lookAgainSeconds) : undefined
    try {
      await ensureAhead(media, source, windows)
    } catch (error) {
      // The rest of the video can still be made. This window stays missing, and requests for it get the reason.
      if (!(error instanceof WindowFailed)) throw error
    }
    await database.transaction(async (tx) => {
      await noteProgress(tx, source)
      await enqueueSlot(tx, { site_id, source_id, slot })
    })
  },
})

/** The tracks of the playlists, and the tracks that files will be joined from. */
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
