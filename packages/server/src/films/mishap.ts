import { isDatabaseAway } from '../db/violation.js'
import { isMediaMishap } from '../media/media-error.js'
import { hasReason } from '../storage/storage-error.js'

/**
 * Whether a job failed because of something that passes: the database or the media storage is away, or ffmpeg was killed.
 * Such a job is tried again within a minute, and does not lose an attempt.
 */
export const isMishap = (error: unknown): boolean => isOutage(error) || isMediaMishap(error)

/** Whether the database or the media storage is away. Such a job is tried again until it is back. */
export const isOutage = (error: unknown): boolean => isDatabaseAway(error) || isStorageAway(error)

export const isStorageAway = (error: unknown): boolean => hasReason(error, 'away')

/** What went wrong, for the publisher. Which store is away, and why, is for the operator: the log has it. */
export function reasonFor(error: unknown, otherwise: string): string {
  if (isStorageAway(error))
    return 'The media storage cannot be reached for the moment. It is tried again until it can.'
  return error instanceof Error ? error.message : otherwise
}
