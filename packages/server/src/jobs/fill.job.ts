import type { Db } from '../db/database.js'
import { ensureWindow, whileUnasked } from '../media-segments/segments.js'
import { findSource } from '../media-segments/source-plan.js'
import { WindowFailed } from '../media-segments/window-store.js'
import { enqueue } from '../queue/enqueue.js'
import { defineJob } from './define-job.js'
import { isCurrent, noteProgress, tracksOf } from './renditions.js'

/** One window of one track of a source; the next step is the next window, track by track. */
interface Fill {
  readonly site_id: string
  readonly source_id: string
  readonly step: number
}

/** Behind everything that somebody waits for. */
export const fillPriority = 100

/** Makes what nobody has asked for yet, a window at a time, until every rendition is whole. A lost worker costs one window. */
export const fill = defineJob<Fill>({
  name: 'fill',
  attempts: 25,
  isBackground: true,
  async run({ site_id, source_id, step }, { database, media }) {
    const source = await findSource(database.db, site_id, source_id)
    if (!source || !(await isCurrent(database.db, source))) return
    const { windows } = source.plan
    const track = tracksOf(source.plan)[Math.floor(step / windows.length)]
    if (track === undefined) return noteProgress(database.db, source)
    const number = step % windows.length
    try {
      await ensureWindow(media, source, track, number, { nice: whileUnasked })
    } catch (error) {
      // The rest of the video may well be made; this window stays missing, and whoever asks for it is told why.
      if (!(error instanceof WindowFailed)) throw error
    }
    await database.transaction(async (tx) => {
      if (number === windows.length - 1 || number % 10 === 0) await noteProgress(tx, source)
      const next = { site_id, source_id, step: step + 1 }
      await enqueue(tx, fill, next, { key: source_id, priority: fillPriority })
    })
  },
})

/** Has everything made that is missing; what is there already costs a look. */
export const fillAll = (tx: Db, site_id: string, source_id: string): Promise<void> =>
  enqueue(tx, fill, { site_id, source_id, step: 0 }, { key: source_id, priority: fillPriority })
