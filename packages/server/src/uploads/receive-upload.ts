import { catalog, fileFields, limits } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { nest, queryOf, type Tree } from '../api/brackets.js'
import { credentialOf } from '../api/credential.js'
import { refuseWithFile } from '../api/one-transaction.js'
import { type IncomingFile, type Pair, readMultipart } from '../edge/multipart.js'
import { ApiError, invalid, notFound } from '../errors.js'
import { noRoomIn, type Room, roomOf } from '../films/quota.js'
import type { NewSource } from '../films/sources.js'
import { isVideo } from '../films/uploads.js'
import { cleanFileName } from '../lib/file-name.js'
import { newUnguessableId } from '../lib/object-id.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import type { Parts } from '../resources/feature.js'
import type { Storage } from '../storage/storage.js'
import { hasReason, StorageError } from '../storage/storage-error.js'
import { checkTarget, enter, refundUpload, type Uploader } from './admit.js'
import { readTarget, type UploadTarget } from './upload-target.js'

const uploadParts = {
  names: ['source', 'file', 'video[source]', 'upload[file]'],
  small: fileFields(catalog.videos),
}

/** A file that is safely stored but not yet referenced by any row. */
export interface ReceivedFile {
  readonly source: NewSource
  readonly target: UploadTarget
  readonly uploader: Uploader
  /** Deletes the file as if it had never arrived. */
  discard(): Promise<void>
}

/**
 * Streams the file of a request into the storage. If the request is invalid, no file remains. Without a file,
 * returns the fields and checks no credential.
 */
export async function receiveUpload(
  parts: Parts,
  media: MediaParts,
  request: FastifyRequest,
): Promise<ReceivedFile | { readonly fields: Tree }> {
  const _id = newUnguessableId()
  let uploader: Uploader | undefined
  let room: Room | undefined
  const refund = async () => {
    if (uploader) await refundUpload(parts, uploader)
  }
  const discard = async () => {
    await refund()
    await media.storage.remove(sourceKey(_id))
  }
  const requestedTargetOf = (pairs: readonly Pair[], file_name: string) =>
    readTarget({ ...queryOf(request), ...nest(pairs) }, file_name, uploader?.grant)

  async function store({ name, body }: IncomingFile, pairs: readonly Pair[], signal: AbortSignal) {
    const { db } = parts.database
    refuseWithFile(request, nest(pairs))
    uploader = await enter(parts, request, nest(pairs))
    room = boundFor(uploader, await roomOf(db, media, uploader.siteId))
    // The fields come on top of the file.
    if (Number(request.headers['content-length'] ?? 0) > room.bytes + limits.body_bytes.value)
      throw room.refusal
    const file_name = cleanFileName(name)
    const target = requestedTargetOf(pairs, file_name)
    checkTarget(uploader, target)
    if ('video_id' in target && !(await isVideo(db, uploader.siteId, target.video_id)))
      throw notFound('video')
    const digested = await media.storage.put(sourceKey(_id), body, { maxBytes: room.bytes, signal })
    if (digested.size === 0) throw invalid('The file is empty.')
    return { ...digested, _id, site_id: uploader.siteId, file_name }
  }

  try {
    const { stored, pairs } = await readMultipart(request, { ...uploadParts, store })
    if (!stored || !uploader) return { fields: nest(pairs) }
    // A second credential or dry_run may have followed the file.
    credentialOf(request, nest(pairs))
    refuseWithFile(request, nest(pairs))
    return {
      source: stored,
      target: requestedTargetOf(pairs, stored.file_name),
      uploader,
      discard,
    }
  } catch (error) {
    // A storage that is away cannot remove it either; the sweep does that later.
    await (hasReason(error, 'away') ? refund() : discard())
    throw uploadError(media.storage, error, room)
  }
}

/** The error for a file that could not be stored. */
export function uploadError(storage: Storage, error: unknown, room: Room | undefined): unknown {
  if (!(error instanceof StorageError)) return error
  if (error.reason === 'too_large') return room?.refusal
  return error.reason === 'full' ? noRoomIn(storage, error) : error
}

/** A token may allow less than its channel's remaining quota. */
function boundFor({ grant }: Uploader, room: Room): Room {
  const most = grant?.max_bytes ?? Number.POSITIVE_INFINITY
  return most < room.bytes ? { bytes: most, refusal: tooLargeFor(most) } : room
}

export const tooLargeFor = (bytes: number) =>
  new ApiError(413, `The file is larger than the ${bytes.toLocaleString('en')} bytes of this upload token.`)
