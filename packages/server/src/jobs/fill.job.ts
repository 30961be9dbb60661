import type { Db } from '../db/database.js'
import { publishedTracks } from '../media-segments/published.js'
import { ensureWindow, whileUnasked } from '../media-segments/segments.js'
import { findSource } from '../media-segments/source-plan.js'
import { WindowFailed } from '../media-segments/window-store.js'
import { enqueue } from '../queue/enqueue.js'
import { defineJob } from './define-job.js'
import { enqueueFiles } from './files.job.js'
import { nextMissing } from './next-missing.js'
import { noteProgress, wantedNow } from './renditions.js'

interface Fill {
  readonly site_id: string
  readonly source_id: string
}

/** Behind everything that somebody waits for. */
const fillPriority = 100

/**
 * Makes what nobody has asked for yet, a window at a time, until every wanted rendition is whole; then the files have
 * their turn. What is missing is looked up anew for each window, so it may begin again at any time. A lost worker costs one.
 */
export const fill = defineJob<Fill>({
  name: 'fill',
  attempts: 25,
  isBackground: true,
  async run({ site_id, source_id }, { database, media }) {
    const { db } = database
    const source = await findSource(db, site_id, source_id)
    const wanted = source && (await wantedNow(db, source))
    if (!wanted) return
    const { length } = source.plan.windows
    const missing = await nextMissing(db, source_id, publishedTracks(source.plan, wanted), length)
    if (!missing)
      return database.transaction(async (tx) => {
        await noteProgress(tx, source)
        await enqueueFiles(tx, source, wanted)
      })
    const { track, number } = missing
    try {
      await ensureWindow(media, source, track, number, { nice: whileUnasked })
    } catch (error) {
      // The rest of the video may well be made; this window stays missing, and whoever asks for it is told why.
      if (!(error instanceof WindowFailed)) throw error
    }
    await database.transaction(async (tx) => {
      if (number === length - 1 || number % 10 === 0) await noteProgress(tx, source)
      await fillAll(tx, site_id, source_id)
    })
  },
})

/** Has everything made that is missing; what is there already costs a look. */
export const fillAll = (tx: Db, site_id: string, source_id: string): Promise<void> =>
  enqueue(tx, fill, { site_id, source_id }, { key: source_id, priority: fillPriority })
