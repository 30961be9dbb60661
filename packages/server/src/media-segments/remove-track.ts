import type { Db } from '../db/database.js'
import { fileFormats } from '../media/formats.js'
import type { MediaParts } from './media-parts.js'
import { fileKey, fileTrack } from './published.js'
import { type TrackName, trackFolder } from './segment-keys.js'

/** Removes what was made of a track. Its rows go last: what breaks off is done again, or made again when somebody asks. */
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
