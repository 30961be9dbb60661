import type { LocalFfmpeg } from '../media/open-ffmpeg.js'
import type { Keeping } from '../storage/keeping.js'
import type { WindowStore } from './window-store.js'

/** What everything that handles video is made of; built once at start. */
export interface MediaParts extends Keeping {
  readonly windows: WindowStore
  /** While there is none, what is made already plays, and uploads wait. */
  readonly ffmpeg: LocalFfmpeg
  /** Whether films may be fetched from an address though it is not public. */
  readonly isReachable: (address: string) => boolean
}
