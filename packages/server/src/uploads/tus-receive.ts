import type { IncomingMessage } from 'node:http'
import { longestSilenceMs } from '../edge/body-bounds.js'
import { ApiError, invalid } from '../errors.js'
import { noRoomIn, roomIn } from '../films/quota.js'
import { noteArrival, offsetOf, type TusUpload } from '../films/uploads.js'
import { givingBack } from '../lib/giving-back.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import type { Parts } from '../resources/feature.js'
import type { AppendOptions, Storage } from '../storage/storage.js'
import { StorageError } from '../storage/storage-error.js'
import { readChecksum, TusRefusal } from './tus-protocol.js'

const noteEveryMs = 5000

/** Appends the body of a request to an upload; returns the new offset. */
export async function receiveBytes(
  { database: { db } }: Parts,
  media: MediaParts,
  upload: TusUpload,
  at: number,
  request: IncomingMessage,
): Promise<number> {
  const checksum = readChecksum(request.headers['upload-checksum'])
  const left = upload.length - at
  const room = await roomIn(media)
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > left) throw tooMuch(upload)
  if (announced > room) throw noRoomIn(media.storage)

  const note = async () => void (await noteArrival(db, upload, await offsetOf(media, upload)))
  const noting = setInterval(() => void note().catch(() => {}), noteEveryMs)
  try {
    return await append(media, upload, at, request, { maxBytes: Math.min(left, room), checksum })
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'too_large')
      throw left <= room ? tooMuch(upload) : noRoomIn(media.storage)
    throw tusUploadError(media.storage, error)
  } finally {
    clearInterval(noting)
  }
}

const tooMuch = ({ length }: TusUpload) =>
  new ApiError(413, `More bytes arrived than the ${length} that were announced for the file.`)

async function append(
  { storage }: MediaParts,
  { source_id }: TusUpload,
  at: number,
  request: IncomingMessage,
  options: Pick<AppendOptions, 'maxBytes' | 'checksum'>,
): Promise<number> {
  const stopping = new AbortController()
  const stop = (why: string) => () => stopping.abort(invalid(why))
  const brokenOff = stop('The upload broke off.')
  request.on('error', brokenOff).setTimeout(longestSilenceMs, stop('No more bytes of the upload arrived.'))
  // The caller may have disconnected during the look-up.
  if (request.destroyed && !request.readableEnded) brokenOff()
  try {
    const upload = await storage.openUpload(sourceKey(source_id))
    // Keeps the connection open for the response, even if the body is not read to its end.
    const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
    return await upload.append(givingBack(body), at, { ...options, signal: stopping.signal })
  } finally {
    request.setTimeout(0)
  }
}

export function tusUploadError(storage: Storage, error: unknown): unknown {
  const reason = error instanceof StorageError ? error.reason : undefined
  const message = error instanceof Error ? error.message : ''
  if (reason === 'wrong_offset' || reason === 'taken_over') return new TusRefusal(409, message)
  if (reason === 'checksum') return new TusRefusal(460, message)
  if (reason === 'full') return noRoomIn(storage, error)
  return error
}
