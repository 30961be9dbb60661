import { limits } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../auth/principals.js'
import { ApiError, invalid, notFound } from '../errors.js'
import { nest, queryOf } from '../http/brackets.js'
import type { NewSource } from '../jobs/record-source.js'
import { cleanFileName } from '../lib/file-name.js'
import { newUnguessableId } from '../lib/object-id.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { roomIn } from '../media-segments/room.js'
import { sourceKey } from '../media-segments/segments.js'
import type { Parts } from '../resources/feature.js'
import { StorageError } from '../storage/storage-error.js'
import { isVideo } from './admit.js'
import { type IncomingFile, type Pair, readMultipart } from './read-multipart.js'
import { readWish, type Wish } from './wish.js'

/** A file that is safe in the storage, and that nobody knows of yet. */
interface StoredSource extends NewSource {
  discard(): Promise<void>
}

/** Streams the file of a request into the storage. If anything is wrong with the request, there is no file. */
export async function receiveUpload(
  { database: { db } }: Parts,
  media: MediaParts,
  { siteId }: Principal,
  request: FastifyRequest,
): Promise<{ source: StoredSource; wish: Wish }> {
  const _id = newUnguessableId()
  const discard = () => media.storage.remove(sourceKey(_id))
  const room = await boundOf(media)
  // Beside the file there are the fields.
  if (Number(request.headers['content-length'] ?? 0) > room.bytes + limits.body_bytes.value)
    throw room.tooLarge

  const wishOf = (pairs: readonly Pair[], file_name: string) =>
    readWish({ ...queryOf(request), ...nest(pairs) }, file_name)

  async function store({ name, body }: IncomingFile, pairs: readonly Pair[], signal: AbortSignal) {
    const file_name = cleanFileName(name)
    const wish = wishOf(pairs, file_name)
    if ('video_id' in wish && !(await isVideo(db, siteId, wish.video_id))) throw notFound('video')
    const digested = await media.storage.put(sourceKey(_id), body, { maxBytes: room.bytes, signal })
    if (digested.size === 0) throw invalid('The file is empty.')
    return { ...digested, file_name }
  }

  try {
    const { stored, pairs } = await readMultipart(request.raw, store)
    const wish = wishOf(pairs, stored.file_name)
    return { source: { ...stored, _id, site_id: siteId, discard }, wish }
  } catch (error) {
    await discard()
    if (error instanceof StorageError && error.reason === 'too_large') throw room.tooLarge
    if (error instanceof StorageError && error.reason === 'full') throw full()
    throw error
  }
}

/** How much is taken, and what is said of more. */
async function boundOf(media: MediaParts): Promise<{ bytes: number; tooLarge: ApiError }> {
  const { maxUploadBytes } = media
  const left = await roomIn(media)
  if (left < maxUploadBytes) return { bytes: left, tooLarge: full() }
  return {
    bytes: maxUploadBytes,
    tooLarge: new ApiError(413, `The file is larger than the limit of ${inWords(maxUploadBytes)}.`),
  }
}

const inWords = (bytes: number) => (bytes < 1e9 ? `${bytes} bytes` : `${Number((bytes / 1e9).toFixed(1))} GB`)

const full = () => invalid('There is not enough room for this file on the disk of the media storage.')
