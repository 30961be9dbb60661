import { catalog } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { notFound } from '../errors.js'
import { shortened } from '../lib/file-name.js'
import type { Sealer } from '../lib/sealing.js'
import { enqueue } from '../queue/enqueue.js'
import { update } from '../resources/store.js'
import type { Digested } from '../storage/storage.js'
import { prepare } from './prepare.job.js'
import { isPlaying, lockVideo, retireOthers } from './video-sources.js'

/** A file that is safe in the storage, on its way to become the source of a video. */
export interface NewSource extends Digested {
  readonly _id: string
  readonly site_id: string
  readonly file_name: string
}

/** Makes a stored file the source of its video and has it prepared, in the caller's transaction; answers with the video's record. */
export async function recordSource(
  tx: Db,
  sealer: Sealer,
  { _id, site_id, file_name, size, sha256 }: NewSource,
  video_id: string,
): Promise<string> {
  const video = await lockVideo(tx, site_id, video_id)
  if (!video) throw notFound('video')
  await tx`
    insert into sources (_id, site_id, video_id, file_name, bytes, sha256)
    values (${_id}, ${site_id}, ${video_id}, ${shortened(file_name) || null}, ${size}, ${sha256})
  `
  // What plays goes on playing until this can.
  const next = isPlaying(video)
    ? { media_source_id: video.media_source_id, pending_source_id: _id }
    : { media_source_id: _id, pending_source_id: null, status: 'processing' }
  await retireOthers(tx, site_id, video_id, [next.media_source_id, _id])
  const changes = { ...next, status_reason: null }
  const record = await update(tx, sealer, catalog.videos, { site_id }, video_id, changes)
  if (!record) throw notFound('video')
  await enqueue(tx, prepare, { site_id, source_id: _id }, { key: _id })
  return record
}
