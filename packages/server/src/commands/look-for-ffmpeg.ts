import type { Config } from '../config.js'
import { type FfmpegOpening, openFfmpeg } from '../media/open-ffmpeg.js'

/** Begins to look; others open the database meanwhile. */
export function lookForFfmpeg({ ffmpegPath, searchPath }: Config): Promise<FfmpegOpening> {
  const looking = openFfmpeg({ ffmpegPath, searchPath })
  looking.catch(() => {})
  return looking
}
