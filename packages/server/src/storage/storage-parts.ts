import type { Storage } from './storage.js'

/** Where files are kept, and how much of them. */
export interface StorageParts {
  readonly storage: Storage
  readonly maxUploadBytes: number
  /** The quota of a channel without its own limit; undefined for no limit. */
  readonly channelBytes: number | undefined
}
