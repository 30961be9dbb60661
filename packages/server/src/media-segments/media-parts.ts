import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
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
  /** Undefined where there is no ffmpeg: what is made already plays, and uploads wait. */
  readonly ffmpeg: OpenedFfmpeg | undefined
  /** Why there is none, and what to do. */
  readonly withoutFfmpeg: string
  readonly trouble: StoreTrouble
  /** Whether films may be fetched from an address though it is not public. */
  readonly isReachable: (address: string) => boolean
}
