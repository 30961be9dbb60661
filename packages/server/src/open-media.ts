import { type Config, StartError } from './config/config.js'
import { bucketAddress, diskIn, type StorageSettings, storagePlace } from './config/storage-url.js'
import type { Database } from './db/database.js'
import { createCaches } from './lib/caches.js'
import { createNetworks } from './lib/networks.js'
import { openLease } from './library/lease.js'
import { holdsFilms, pair } from './library/owner.js'
import { beginsAnew, diskName, openPlaces, rememberPlaces, type StoragePlace } from './library/places.js'
import { announcePlaces } from './library/storage-users.js'
import { watchTrouble } from './library/trouble.js'
import type { LocalFfmpeg } from './media/open-ffmpeg.js'
import { createEncoderTurns } from './media-segments/encoder-turns.js'
import type { MediaParts } from './media-segments/media-parts.js'
import { openWindowStore, type WindowStoreOptions } from './media-segments/window-store.js'
import { openStorageOf } from './storage/open-storage.js'
import type { LibraryLease, Storage } from './storage/storage.js'
import { StorageError } from './storage/storage-error.js'
import { type OpenedPlaces, storagesIn } from './storage/two-places.js'

type PlaceSettings = Pick<Config, 'dataDir' | 'storage' | 'oldStorage' | 'cacheDir' | 'cachedFilmBytes'>

/** The storage that the settings name, and where films may still be that were there before. */
export function placesIn(config: PlaceSettings): {
  current: StoragePlace
  former: StoragePlace | undefined
} {
  const { dataDir, storage, oldStorage } = config
  const former = oldStorage ?? (storage.kind === 's3' ? diskIn(dataDir) : undefined)
  return { current: placeOf(config, storage), former: former && placeOf(config, former) }
}

const placeOf = ({ cacheDir, cachedFilmBytes }: PlaceSettings, settings: StorageSettings): StoragePlace => ({
  name: settings.kind === 'disk' ? diskName : bucketAddress(settings),
  about: capitalised(storagePlace(settings)),
  open: () => openStorageOf(settings, { cacheDir, cacheBytes: cachedFilmBytes }),
})

const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Opens the storage of the films. */
export function openStorage(config: PlaceSettings, database: Database): Promise<OpenedPlaces> {
  const { current, former } = placesIn(config)
  return orStartError(openPlaces(database, current, former))
}

/** A new database beside films is probably the wrong one: it is refused before anything is made in it. */
export async function refuseBesideFilms(config: PlaceSettings): Promise<void> {
  const { current, former } = placesIn(config)
  for (const { about, open } of [current, ...(former ? [former] : [])])
    if (await holdsFilms(await orStartError(open()))) throw new StartError([beginsAnew(about)])
}

/** A store that cannot be used is explained to the operator. */
export async function orStartError<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    throw error instanceof StorageError ? new StartError([error.message]) : error
  }
}

/** Everything that handles video. Without ffmpeg the platform runs, and uploads wait. */
export async function openMedia(
  config: PlaceSettings & Pick<Config, 'maxUploadBytes' | 'channelBytes' | 'importNetworks' | 'encoders'>,
  database: Database,
  looking: Promise<LocalFfmpeg>,
  options: Omit<WindowStoreOptions, 'turns'> = {},
): Promise<MediaParts> {
  const { maxUploadBytes, channelBytes, importNetworks, encoders } = config
  const places = await openStorage(config, database)
  const { current, old } = places
  if ((await pair(database.db, current.storage)) === 'empty')
    throw new StartError([beginsAnew(placesIn(config).current.about)])
  const lease = await orStartError(openLease(database.db, current.storage))
  const storage = deletingIfHeld(places.storage, lease)
  await rememberPlaces(database.db, places)
  await announcePlaces(database.db, [current.name, ...(old ? [old.name] : [])])
  const [windows, ffmpeg, trouble] = await Promise.all([
    openWindowStore(database, { ...options, turns: createEncoderTurns(encoders) }),
    looking,
    watchTrouble(database.db, storagesIn(places)),
  ])
  await orStartError(storage.sweep())
  const isReachable = createNetworks(importNetworks)
  const cache = createCaches()
  return {
    ...{ storage, places, lease, windows, ffmpeg, maxUploadBytes, channelBytes },
    ...{ trouble, cache, isReachable },
  }
}

/** While another installation may be using the films, nothing is deleted. The sweep finds later what is not needed. */
const deletingIfHeld = (storage: Storage, lease: LibraryLease): Storage => ({
  ...storage,
  remove: async (key) => (lease.isHeld() ? storage.remove(key) : undefined),
  removeUnder: async (prefix) => (lease.isHeld() ? storage.removeUnder(prefix) : 0),
})
