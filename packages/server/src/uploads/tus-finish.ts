import { ApiError, interrupted, notFound } from '../errors.js'
import type { NewSource } from '../films/sources.js'
import { discardUpload, findUpload, lockUpload, type TusUpload } from '../films/uploads.js'
import { whileAlive } from '../lib/while-alive.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import type { Parts } from '../resources/feature.js'
import { asUploader, requestOf } from './as-uploader.js'
import { announceUpload, recordUpload } from './finish-upload.js'
import { readMetadata } from './tus-protocol.js'
import { tusUploadError } from './tus-receive.js'
import { hiddenBody, type UploadTarget } from './upload-target.js'

/** Creates the video of a complete upload. Safe to repeat: there is only one video. */
export type FinishTus = (upload: TusUpload, requestId: string) => Promise<TusUpload>

/** Callers that ask while an upload is being finished wait for the same result. */
export function createFinish(parts: Parts, media: MediaParts): FinishTus {
  const underWay = new Map<string, Promise<TusUpload>>()
  return async (upload, requestId) => {
    if (upload.finished_at) return upload
    const known = underWay.get(upload._id)
    if (known) return known
    const finishing = finishUpload(parts, media, upload, requestId).finally(() => underWay.delete(upload._id))
    underWay.set(upload._id, finishing)
    return finishing
  }
}

async function finishUpload(
  parts: Parts,
  media: MediaParts,
  { _id, source_id }: TusUpload,
  requestId: string,
): Promise<TusUpload> {
  const { db } = parts.database
  const upload = await findUpload(db, _id)
  if (!upload) throw notFound('upload')
  const storing = await media.storage.openUpload(sourceKey(source_id))
  if (upload.finished_at) {
    // The same bytes were sent twice in parallel, and both arrived.
    await storing.abort()
    return upload
  }
  try {
    const { site_id, file_name } = upload
    const source = { ...(await storing.finish(upload.length)), _id: source_id, site_id, file_name }
    const recording = asUploader(parts, requestOf(upload, requestId), (acting) =>
      record(acting, upload, source),
    )
    await whileAlive(parts.database, recording, () => interrupted(undefined))
  } catch (error) {
    // An upload that can never become a video is discarded; after any other failure, a repeated request
    // continues from here.
    if (error instanceof ApiError && error.status < 500) await discardUpload(parts.database, media, upload)
    throw tusUploadError(media.storage, error)
  }
  return (await findUpload(db, _id)) ?? upload
}

async function record(parts: Parts, { _id }: TusUpload, source: NewSource): Promise<void> {
  const target = await parts.database.transaction(async (tx) => {
    const upload = await lockUpload(tx, _id)
    if (!upload) throw notFound('upload')
    if (upload.finished_at) return undefined
    const target = storedTargetOf(upload)
    const { video_id } = await recordUpload(tx, parts, source, target, upload.created_by)
    await tx`
      update uploads set video_id = ${video_id}, finished_at = now(), expires_at = default,
        "offset" = length, updated_at = now()
      where _id = ${_id}
    `
    return target
  })
  if (target) await announceUpload(parts, source, target)
}

/** The target of the upload. */
function storedTargetOf({ video_id, metadata, hidden }: TusUpload): UploadTarget {
  if (video_id !== null) return { video_id }
  const { target } = readMetadata(metadata)
  return hidden && 'body' in target ? { body: hiddenBody(target.body) } : target
}
