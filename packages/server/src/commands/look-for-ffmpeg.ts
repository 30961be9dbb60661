import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config/config.js'
import { type LocalFfmpeg, type OpenedFfmpeg, openFfmpeg } from '../media/open-ffmpeg.js'
import type { Log } from './log.js'

const lookAgainMs = 3000

/** Starts the search; the caller opens the database meanwhile. */
export function lookForFfmpeg({ ffmpegPath, searchPath }: Config): Promise<LocalFfmpeg> {
  const looking = openFfmpeg({ ffmpegPath, searchPath })
  looking.catch(() => {})
  return looking
}

/**
 * Checks every few seconds until ffmpeg is found or the process stops. `onMissing` runs after every
 * unsuccessful check.
 */
export async function untilFfmpeg(
  ffmpeg: LocalFfmpeg,
  signal: AbortSignal,
  logger: Log['logger'],
  onMissing: () => Promise<void> = async () => {},
): Promise<OpenedFfmpeg | undefined> {
  if (ffmpeg.current()) return ffmpeg.current()
  logger.warn(ffmpeg.problem())
  while (!ffmpeg.current() && !signal.aborted) {
    await onMissing()
    await delay(lookAgainMs, undefined, { signal }).catch(() => {})
    if (!signal.aborted) await ffmpeg.look()
  }
  const found = ffmpeg.current()
  if (found)
    logger.info({ ffmpeg: found.programs.ffmpeg, version: found.programs.version }, 'ffmpeg is available now')
  return found
}
