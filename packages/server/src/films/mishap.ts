import { isDatabaseAway, violation } from '../db/violation.js'
import { isMediaMishap, MediaError } from '../media/media-error.js'
import { hasReason } from '../storage/storage-error.js'

/**
 * Whether a job failed because of something that passes: the database or the media storage is away or full, or ffmpeg was killed.
 * Such a job is tried again within a minute, and does not lose an attempt.
 */
export const isMishap = (error: unknown): boolean => outageOf(error) !== undefined || isMediaMishap(error)

/** What is away. A job that needs it is tried again until it is back. */
export type Outage = 'database' | 'media storage' | 'disk'

export function outageOf(error: unknown): Outage | undefined {
  if (isDatabaseAway(error)) return 'database'
  if (isStorageAway(error)) return 'media storage'
  return isDiskFull(error) ? 'disk' : undefined
}

export const isStorageAway = (error: unknown): boolean => hasReason(error, 'away')

/** Whether there is no room for what was to be written: by us, by ffmpeg, or by PostgreSQL. */
const isDiskFull = (error: unknown): boolean =>
  hasReason(error, 'full') ||
  violation(error) === 'disk_full' ||
  (error instanceof MediaError && error.code === 'no_space')

/** What went wrong, for the publisher. Which store is away, and why, is for the operator: the log has it. */
export function reasonFor(error: unknown, otherwise: string): string {
  if (isStorageAway(error))
    return 'The media storage cannot be reached for the moment. It is tried again until it can.'
  return error instanceof Error ? error.message : otherwise
}
