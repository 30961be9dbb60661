import type { Caches } from '../lib/caches.js'
import type { LocalFfmpeg } from '../media/open-ffmpeg.js'
import type { StorageParts } from '../storage/storage.js'
import type { OpenedPlaces } from '../storage/two-places.js'
import type { WindowStore } from './window-store.js'

/** Why nothing is deleted from the storage, and what to do; undefined if all is well. */
export interface StoreTrouble {
  look(): Promise<string | undefined>
  /** The result of the last check, a few seconds ago. Never waits. */
  seen(): string | undefined
}

/** What everything that handles video depends on; built once at start. */
export interface MediaParts extends StorageParts {
  /** Where the storage is; two places while films move. */
  readonly places: OpenedPlaces
  readonly windows: WindowStore
  /** Without it, finished segments play and uploads wait. */
  readonly ffmpeg: LocalFfmpeg
  readonly trouble: StoreTrouble
  /** Data that this process has read and may reuse for a while. */
  readonly cache: Caches
  /** Whether films may be fetched from a non-public address. */
  readonly isReachable: (address: string) => boolean
}
