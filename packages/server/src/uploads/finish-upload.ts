import type { Db } from '../db/database.js'
import { insertWithParts, showImages } from '../features/videos/write.js'
import { announceVideo } from '../films/insert-video.js'
import { type NewSource, recordSource } from '../films/sources.js'
import { newId } from '../lib/object-id.js'
import type { Parts } from '../resources/feature.js'
import type { UploadTarget } from './upload-target.js'

/**
 * Makes a stored file the source of a new or existing video, in the caller's transaction; returns the video's
 * record.
 */
export async function recordUpload(
  tx: Db,
  parts: Pick<Parts, 'mediaUrl' | 'files'>,
  source: NewSource,
  target: UploadTarget,
  author: string | null = null,
): Promise<{ readonly video_id: string; readonly record: string }> {
  const { site_id } = source
  const video_id = 'video_id' in target ? target.video_id : newId()
  if ('body' in target) {
    await insertWithParts(tx, { site_id }, { ...target.body, created_by: author }, video_id)
    await showImages(tx, parts, { site_id }, video_id, target.body)
  }
  return { video_id, record: await recordSource(tx, source, video_id) }
}

/** Notifies those who wait for the upload, after the transaction. */
export async function announceUpload(
  parts: Pick<Parts, 'freshness' | 'files'>,
  { site_id }: NewSource,
  target: UploadTarget,
): Promise<void> {
  await parts.files.lease.noteArrival()
  await announceVideo(parts, { site_id }, 'body' in target ? target.body : {})
}
