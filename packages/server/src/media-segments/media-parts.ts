import type { LocalFfmpeg } from '../media/open-ffmpeg.js'
import type { Keeping } from '../storage/keeping.js'
import type { WindowStore } from './window-store.js'

/** Why nothing is removed from the storage, and what to do; undefined where all is well. */
export interface StoreTrouble {
  look(): Promise<string | undefined>
  /** What the last look saw, a few seconds ago; never waits. */
  seen(): string | undefined
}

/** What everything that handles video is made of; built once at start. */
export interface MediaParts extends Keeping {
  readonly windows: WindowStore
  /** While there is none, what is made already plays, and uploads wait. */
  readonly ffmpeg: LocalFfmpeg
  readonly trouble: StoreTrouble
  /** Whether films may be fetched from an address though it is not public. */
  readonly isReachable: (address: string) => boolean
}
