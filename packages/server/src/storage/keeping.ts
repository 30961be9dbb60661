import type { Storage } from './storage.js'

/** Where files are kept, and how much of them. */
export interface Keeping {
  readonly storage: Storage
  readonly maxUploadBytes: number
  /** What a channel may keep that has no limit of its own; undefined for no limit. */
  readonly channelBytes: number | undefined
}
