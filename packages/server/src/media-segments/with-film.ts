import type { MediaSource } from '../media/media-source.js'
import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
import type { Storage } from '../storage/storage.js'

/**
 * Passes a file of the storage to `use`, for ffmpeg to read with the ffmpeg that is passed along. Local files are read
 * directly. Of others only what ffmpeg reads is fetched, if this system allows it, else all of it first.
 */
export async function withFilm<T>(
  storage: Storage,
  ffmpeg: OpenedFfmpeg,
  key: string,
  use: (film: MediaSource, ffmpeg: OpenedFfmpeg) => Promise<T>,
): Promise<T> {
  const parts = await storage.openParts(key)
  const ranges = parts && (await ffmpeg.ranges())
  if (ranges) return ranges.offer(parts, (film, how) => use(film, { ...ffmpeg, ...how }))
  return storage.withLocalFile(key, (path) => use(path, ffmpeg))
}
