import type { Database } from '../db/database.js'
import type { MediaParts } from './media-parts.js'
import { ensureWindow, whileAwaited } from './segments.js'
import { findSourceById } from './source-plan.js'
import { hearWishes } from './window-wishes.js'

/** From now on this process makes windows that viewers of other processes wait for, if it has ffmpeg. */
export const makeForOthers = (database: Database, media: MediaParts): Promise<void> =>
  hearWishes(database, async ({ source_id, track, number }, signal) => {
    if (!media.ffmpeg.current()) return
    const source = await findSourceById(database.db, source_id)
    if (source)
      await ensureWindow(media, source, track, number, { signal, nice: whileAwaited, need: 'viewer' })
  })
