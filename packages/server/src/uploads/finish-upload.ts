import { catalog } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { notFound } from '../errors.js'
import { announceVideo, insertVideo } from '../features/videos/create.js'
import { prepare } from '../jobs/prepare.job.js'
import { newId } from '../lib/object-id.js'
import { enqueue } from '../queue/enqueue.js'
import type { Parts } from '../resources/feature.js'
import { update } from '../resources/store.js'
import type { Digested } from '../storage/storage.js'
import { shortened } from './file-name.js'
import type { Wish } from './wish.js'

/** A file that is safe in the storage, on its way to become the source of a video. */
export interface NewSource extends Digested {
  readonly _id: string
  readonly site_id: string
  readonly file_name: string
}

/** Makes a stored file the source of its video and has it prepared, in the caller's transaction; answers with the video's record. */
export async function recordUpload(
  tx: Db,
  { sealer }: Pick<Parts, 'sealer'>,
  source: NewSource,
  wish: Wish,
): Promise<{ readonly video_id: string; readonly record: string }> {
  const { _id, site_id, file_name, size, sha256 } = source
  const video_id = 'video_id' in wish ? wish.video_id : newId()
  if ('body' in wish) await insertVideo(tx, sealer, { site_id }, wish.body, video_id)
  const processing = { status: 'processing', status_reason: null, media_source_id: _id }
  const record = await update(tx, sealer, catalog.videos, { site_id }, video_id, processing)
  if (!record) throw notFound('video')
  await tx`
    insert into sources (_id, site_id, video_id, file_name, bytes, sha256)
    values (${_id}, ${site_id}, ${video_id}, ${shortened(file_name) || null}, ${size}, ${sha256})
  `
  await enqueue(tx, prepare, { site_id, source_id: _id })
  return { video_id, record }
}

/** What was recorded is told to those who wait for it, once the transaction is over. */
export const announceUpload = (
  parts: Pick<Parts, 'freshness'>,
  { site_id }: NewSource,
  wish: Wish,
): Promise<void> => announceVideo(parts, { site_id }, 'body' in wish ? wish.body : {})
