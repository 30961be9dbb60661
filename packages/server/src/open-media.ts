import { join } from 'node:path'
import type { Config } from './config.js'
import type { Database } from './db/database.js'
import { createNetworks } from './lib/networks.js'
import type { LocalFfmpeg } from './media/open-ffmpeg.js'
import { createEncoderTurns } from './media-segments/encoder-turns.js'
import type { MediaParts } from './media-segments/media-parts.js'
import { openWindowStore, type WindowStoreOptions } from './media-segments/window-store.js'
import { openFileStorage } from './storage/file-storage.js'

/** Everything that handles video. Without ffmpeg the platform runs, and uploads wait. */
export async function openMedia(
  {
    dataDir,
    maxUploadBytes,
    channelBytes,
    importNetworks,
    encoders,
  }: Pick<Config, 'dataDir' | 'maxUploadBytes' | 'channelBytes' | 'importNetworks' | 'encoders'>,
  database: Database,
  looking: Promise<LocalFfmpeg>,
  options: Omit<WindowStoreOptions, 'turns'> = {},
): Promise<MediaParts> {
  const [storage, windows, ffmpeg] = await Promise.all([
    openFileStorage(join(dataDir, 'media')),
    openWindowStore(database, { ...options, turns: createEncoderTurns(encoders) }),
    looking,
  ])
  await storage.sweep()
  const isReachable = createNetworks(importNetworks)
  return { storage, windows, ffmpeg, maxUploadBytes, channelBytes, isReachable }
}
