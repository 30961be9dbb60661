import type { Db } from '../db/database.js'
import { fileFormats } from '../media/formats.js'
import type { MediaParts } from './media-parts.js'
import { fileKey, fileTrack } from './published.js'
import { type TrackName, trackFolder } from './segment-keys.js'

/**
 * Deletes what was made of a track. Its rows go last: an interrupted run is repeated, or the track is made
 * again on demand.
 */
export async function removeTrack(
  db: Db,
  { storage }: Pick<MediaParts, 'storage'>,
  source_id: string,
  track: TrackName,
): Promise<void> {
  const file = fileFormats.find((name) => fileTrack(name) === track)
  if (file) await storage.remove(fileKey(source_id, file))
  else await storage.removeUnder(trackFolder(source_id, track))
  await db`
    delete from media_windows where source_id = ${source_id} and track = ${track} and holder is null
  `
}
