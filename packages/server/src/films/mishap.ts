import { isDatabaseAway, violation } from '../db/violation.js'
import { ApiError } from '../errors.js'
import { isMediaMishap, isStarved } from '../media/media-error.js'
import { hasReason } from '../storage/storage-error.js'

/**
 * Whether a job failed because of something that passes: the database or the media storage is away or full, or ffmpeg was killed.
 * Such a job is tried again within a minute, and does not lose an attempt.
 */
export const isMishap = (error: unknown): boolean => outageOf(error) !== undefined || isMediaMishap(error)

/** What is away. A job that needs it is tried again until it is back. */
export type Outage = 'database' | 'media storage' | 'disk' | 'machine'

export function outageOf(error: unknown): Outage | undefined {
  if (isDatabaseAway(error)) return 'database'
  if (isStorageAway(error)) return 'media storage'
  if (isDiskFull(error)) return 'disk'
  return isStarved(error) ? 'machine' : undefined
}

const isStorageAway = (error: unknown): boolean => hasReason(error, 'away')

/** Whether files cannot be stored for the moment: the storage is away, or full. */
export const isWithoutStorage = (error: unknown): boolean => isStorageAway(error) || isDiskFull(error)

/** Whether there is no room for what was to be written: by us, by ffmpeg, or by PostgreSQL. */
const isDiskFull = (error: unknown): boolean =>
  hasReason(error, 'full') ||
  (error instanceof ApiError && error.status === 507) ||
  violation(error) === 'disk_full'

/** What went wrong, for the publisher. Which store is away, and why, is for the operator: the log has it. */
export function reasonFor(error: unknown, otherwise: string): string {
  if (isStorageAway(error))
    return 'The media storage cannot be reached for the moment. It is tried again until it can.'
  if (isDiskFull(error)) return 'The disk of the server is full. It is tried again until there is room.'
  return error instanceof Error ? error.message : otherwise
}
