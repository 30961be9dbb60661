import { isLostStatement } from '../db/late-write.js'
import { isMediaMishap } from '../media/media-error.js'
import { hasReason } from '../storage/storage-error.js'

/**
 * Whether a job failed because of something that passes: the database or the media storage is away, or ffmpeg was killed.
 * Such a job is tried again within a minute, and does not lose an attempt.
 */
export const isMishap = (error: unknown): boolean =>
  isLostStatement(error) || isMediaMishap(error) || hasReason(error, 'away')
