import { safeFetch } from '../../fetching/safe-fetch.js'
import type { MediaParts } from '../../media-segments/media-parts.js'
import { sourceKey } from '../../media-segments/segment-keys.js'
import type { Digested, Upload } from '../../storage/storage.js'
import { StorageError } from '../../storage/storage-error.js'
import type { Room } from '../quota.js'
import { ImportFailed, ImportRefused } from './import-error.js'
import { type Brought, rangeHeaders, readAnswer } from './read-answer.js'

/** A film to fetch, and what earlier attempts have learned about it. */
export interface RemoteFilm {
  readonly source_url: string
  readonly media_source_id: string
  readonly validator: string | null
  readonly total_bytes: number | null
}

export interface Transfer {
  readonly signal: AbortSignal
  /** How long the whole transfer may take. */
  readonly timeoutMs: number
  /** How long to wait for an answer, and the period over which its speed is measured. */
  readonly idleMs: number
  readonly leastBytesPerSecond: number
  /** How many bytes may arrive. */
  room(): Promise<Room>
  /** Called with the facts of the answer before any byte is written. */
  begun(brought: Brought): Promise<void>
  /** Called with the number of bytes that have arrived. */
  came(bytes: number): void
}

/** Streams a film into the storage, after the bytes that are there already. Bytes that arrive before a failure are kept. */
export async function transfer(media: MediaParts, film: RemoteFilm, options: Transfer): Promise<Digested> {
  const { storage } = media
  const key = sourceKey(film.media_source_id)
  const upload = await storage.openUpload(key)
  const offset = await upload.offset()
  // All bytes arrived in an earlier attempt, which ended before the film was recorded.
  const isThere = offset > 0 ? offset === film.total_bytes : (await storage.stat(key)) !== undefined
  if (!isThere) await fetchInto(upload, media, film, offset, options)
  return upload.finish(isThere ? (film.total_bytes ?? undefined) : undefined)
}

async function fetchInto(
  upload: Upload,
  media: MediaParts,
  { source_url, validator }: RemoteFilm,
  offset: number,
  options: Transfer,
): Promise<void> {
  const { signal, timeoutMs, idleMs, leastBytesPerSecond } = options
  const { status, headers, body } = await safeFetch(source_url, {
    // The limit depends on the answer; `store` applies it.
    maxBytes: Number.POSITIVE_INFINITY,
    timeoutMs,
    idleMs,
    leastBytesPerSecond,
    signal,
    headers: rangeHeaders({ offset, validator }),
    allow: media.isReachable,
  })
  try {
    const brought = readAnswer(status, headers, { offset, validator })
    if (!brought) return
    if (brought.from < offset) await upload.abort()
    await store(upload, media, body, brought, options)
  } catch (error) {
    if (error instanceof ImportFailed && error.beginsAnew) await upload.abort()
    throw error
  } finally {
    body.destroy()
  }
}

async function store(
  upload: Upload,
  media: MediaParts,
  body: AsyncIterable<Uint8Array>,
  brought: Brought,
  options: Transfer,
): Promise<void> {
  const { from, total } = brought
  const { maxUploadBytes } = media
  if ((total ?? 0) > maxUploadBytes) throw tooLarge(maxUploadBytes)
  // Bytes that have arrived already are counted in the quota.
  const room = await options.room()
  if (total !== null && total - from > room.bytes) throw room.refusal
  await options.begun(brought)
  options.came(from)
  const maxBytes = Math.min(maxUploadBytes - from, room.bytes)
  const counted = count(body, from, options.came)
  const end = await upload.append(counted, from, { maxBytes, signal: options.signal }).catch((error) => {
    if (error instanceof StorageError && error.reason === 'too_large')
      throw maxBytes === room.bytes ? room.refusal : tooLarge(maxUploadBytes)
    throw error
  })
  if (end === 0) throw new ImportRefused('The file at this address is empty.')
  if (total !== null && end !== total)
    throw new ImportFailed('The transfer ended before the file was complete.')
}

async function* count(body: AsyncIterable<Uint8Array>, from: number, came: (bytes: number) => void) {
  let bytes = from
  for await (const chunk of body) {
    yield chunk
    bytes += chunk.byteLength
    came(bytes)
  }
}

const tooLarge = (bytes: number) =>
  new ImportRefused(`The file is larger than the limit of ${Number((bytes / 1e9).toFixed(3))} GB.`)
