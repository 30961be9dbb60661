import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
import type { Storage } from '../storage/storage.js'
import type { WindowStore } from './window-store.js'

/** What everything that handles video is made of; built once at start. */
export interface MediaParts {
  readonly storage: Storage
  readonly windows: WindowStore
  /** Undefined where there is no ffmpeg: what is made already plays, and uploads wait. */
  readonly ffmpeg: OpenedFfmpeg | undefined
  /** Why there is none, and what to do. */
  readonly withoutFfmpeg: string
  readonly maxUploadBytes: number
  /** Whether films may be fetched from an address though it is not public. */
  readonly isReachable: (address: string) => boolean
}
