import { join } from 'node:path'
import { type Config, StartError } from './config/config.js'
import type { Database } from './db/database.js'
import { createCaches } from './lib/caches.js'
import { createNetworks } from './lib/networks.js'
import { pair } from './library/owner.js'
import { watchTrouble } from './library/trouble.js'
import type { LocalFfmpeg } from './media/open-ffmpeg.js'
import { createEncoderTurns } from './media-segments/encoder-turns.js'
import type { MediaParts } from './media-segments/media-parts.js'
import { openWindowStore, type WindowStoreOptions } from './media-segments/window-store.js'
import { openFileStorage } from './storage/file-storage.js'
import type { Storage } from './storage/storage.js'

export const openStorage = ({ dataDir }: Pick<Config, 'dataDir'>): Promise<Storage> =>
  openFileStorage(join(dataDir, 'media'))

/** Everything that handles video. Without ffmpeg the platform runs, and uploads wait. */
export async function openMedia(
  config: Pick<Config, 'dataDir' | 'maxUploadBytes' | 'channelBytes' | 'importNetworks' | 'encoders'>,
  database: Database,
  looking: Promise<LocalFfmpeg>,
  options: Omit<WindowStoreOptions, 'turns'> = {},
): Promise<MediaParts> {
  const { maxUploadBytes, channelBytes, importNetworks, encoders } = config
  const storage = await openStorage(config)
  if ((await pair(database.db, storage)) === 'empty') throw new StartError([beginsAnew(config)])
  const [windows, ffmpeg, trouble] = await Promise.all([
    openWindowStore(database, { ...options, turns: createEncoderTurns(encoders) }),
    looking,
    watchTrouble(database.db, storage),
  ])
  await storage.sweep()
  const isReachable = createNetworks(importNetworks)
  const cache = createCaches()
  return { storage, windows, ffmpeg, maxUploadBytes, channelBytes, trouble, cache, isReachable }
}

/** To a database without films, every film in the storage would look abandoned. */
const beginsAnew = ({ dataDir }: Pick<Config, 'dataDir'>) =>
  `The folder ${join(dataDir, 'media')} holds films, but the database is new and knows none of them. Probably DATABASE_URL or DATA_DIR points to the wrong place, or a backup of the database is yet to be restored: do that, and start again. To begin anew beside these films on purpose, run \`zoetrope storage adopt\` once; it removes nothing.`
