import { join } from 'node:path'
import { type Config, StartError } from './config/config.js'
import type { Database } from './db/database.js'
import { createCaches } from './lib/caches.js'
import { createNetworks } from './lib/networks.js'
import { pair } from './library/owner.js'
import { beginsAnew, diskName, openPlaces, rememberPlaces, type StoragePlace } from './library/places.js'
import { announcePlaces } from './library/storage-users.js'
import { watchTrouble } from './library/trouble.js'
import type { LocalFfmpeg } from './media/open-ffmpeg.js'
import { createEncoderTurns } from './media-segments/encoder-turns.js'
import type { MediaParts } from './media-segments/media-parts.js'
import { openWindowStore, type WindowStoreOptions } from './media-segments/window-store.js'
import { openFileStorage } from './storage/file-storage.js'
import { type OpenedPlaces, storagesIn } from './storage/two-places.js'

type PlaceSettings = Pick<Config, 'dataDir'>

/** The storage that the settings name, and where films may still be that were there before. */
export const placesIn = ({
  dataDir,
}: PlaceSettings): { current: StoragePlace; former: StoragePlace | undefined } => ({
  current: diskIn(join(dataDir, 'media')),
  former: undefined,
})

const diskIn = (folder: string): StoragePlace => ({
  name: diskName,
  about: `The folder ${folder}`,
  open: () => openFileStorage(folder),
})

export function openStorage(config: PlaceSettings, database: Database): Promise<OpenedPlaces> {
  const { current, former } = placesIn(config)
  return openPlaces(database, current, former)
}

/** Everything that handles video. Without ffmpeg the platform runs, and uploads wait. */
export async function openMedia(
  config: Pick<Config, 'dataDir' | 'maxUploadBytes' | 'channelBytes' | 'importNetworks' | 'encoders'>,
  database: Database,
  looking: Promise<LocalFfmpeg>,
  options: Omit<WindowStoreOptions, 'turns'> = {},
): Promise<MediaParts> {
  const { maxUploadBytes, channelBytes, importNetworks, encoders } = config
  const places = await openStorage(config, database)
  const { storage, current, old } = places
  if ((await pair(database.db, current.storage)) === 'empty')
    throw new StartError([beginsAnew(placesIn(config).current.about)])
  await rememberPlaces(database.db, places)
  await announcePlaces(database.db, [current.name, ...(old ? [old.name] : [])])
  const [windows, ffmpeg, trouble] = await Promise.all([
    openWindowStore(database, { ...options, turns: createEncoderTurns(encoders) }),
    looking,
    watchTrouble(database.db, storagesIn(places)),
  ])
  await storage.sweep()
  const isReachable = createNetworks(importNetworks)
  const cache = createCaches()
  return { storage, places, windows, ffmpeg, maxUploadBytes, channelBytes, trouble, cache, isReachable }
}
