import type { Catalog, UpdateOf } from '@zoetrope/contract'
import type { Caller } from './caller.js'
import { pause } from './deadline.js'
import { parametersOf } from './query.js'
import { mayRepeat } from './retry.js'
import { ZoetropeError } from './zoetrope-error.js'

export interface SendFileOptions {
  /** Called with the bytes that the server has, and all bytes of the file. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
  /** Called with the id of the upload. Keep it to continue after a restart: pass it as `uploadId`. */
  readonly onStart?: ((uploadId: string) => void) | undefined
  /** An upload of the same file that was begun earlier. */
  readonly uploadId?: string | undefined
  /** The video that the film is for. Without it, the upload creates a new one. */
  readonly videoId?: string | undefined
  /** Fields of the new video. */
  readonly fields?: UpdateOf<Catalog['videos']> | undefined
  /** The name of the file, if it has none itself. The title of a new video without one. */
  readonly fileName?: string | undefined
  /** Stops sending. The upload can be resumed within 24 hours. */
  readonly signal?: AbortSignal | undefined
}

export interface SentFile {
  /** The video that the film belongs to. */
  readonly videoId: string
}

const path = '/uploads/tus'
const version = { 'tus-resumable': '1.0.0' }
const firstPiece = 2 ** 20
const smallestPiece = 2 ** 16
/** A piece is in memory as a whole. */
const largestPiece = 2 ** 24
/** A piece that takes less is followed by a larger one, so that progress is seen and little is sent twice. */
const quickMs = 1000
/** With growing pauses, about four minutes. */
const mostFailures = 12
const longestPauseMs = 30_000

/** Sends a file in pieces over tus. After a failure it continues with the first byte that the server does not have. */
export async function sendFile(caller: Caller, file: Blob, options: SendFileOptions = {}): Promise<SentFile> {
  const { onProgress, onStart, signal = null } = options
  const patiently = patience(signal)
  const id = options.uploadId ?? (await patiently(() => begin(caller, file, options)))
  onStart?.(id)
  let { offset, videoId } = await patiently(() => locate(caller, id, file, signal))
  let size = firstPiece
  while (videoId === undefined) {
    onProgress?.(offset, file.size)
    const begun = Date.now()
    ;({ offset, videoId } = await patiently(
      () => sendPiece(caller, id, file.slice(offset, offset + size), offset, signal),
      async () => {
        size = Math.max(smallestPiece, size / 2)
        return locate(caller, id, file, signal)
      },
    ))
    if (Date.now() - begun < quickMs) size = Math.min(largestPiece, size * 2)
  }
  onProgress?.(file.size, file.size)
  return { videoId }
}

interface Position {
  readonly offset: number
  /** Known once the file is complete. */
  readonly videoId: string | undefined
}

/** Runs a step until it succeeds. After a failure that may pass, it waits, and runs `instead` from then on. */
function patience(signal: AbortSignal | null) {
  let failures = 0
  return async <T>(step: () => Promise<T>, instead = step): Promise<T> => {
    for (let next = step; ; next = instead)
      try {
        const result = await next()
        failures = 0
        return result
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof ZoetropeError) || !mayPass(error) || ++failures > mostFailures) throw error
        const ms = Math.min(longestPauseMs, 250 * 2 ** failures * (0.5 + Math.random() / 2))
        await pause(Math.max(ms, (error.retryAfter ?? 0) * 1000), signal ?? undefined)
      }
  }
}

/** 409: the server has another number of bytes. 460: a piece arrived damaged. */
const mayPass = (error: ZoetropeError) => mayRepeat(true, error) || [409, 460, 500].includes(error.status)

async function begin(caller: Caller, file: Blob, options: SendFileOptions): Promise<string> {
  const { videoId, fields, fileName = 'name' in file ? String(file.name) : '', signal = null } = options
  const metadata = [
    ...(fileName ? [['filename', fileName]] : []),
    ...(videoId ? [['video_id', videoId]] : []),
    ...parametersOf('video', fields),
  ].map(([name, value = '']) => `${name} ${base64(new TextEncoder().encode(value))}`)
  const headers = { ...version, 'upload-length': String(file.size), 'upload-metadata': metadata.join() }
  const { headers: answered } = await caller.ask(path, { method: 'POST', headers, signal })
  return answered.get('location')?.split('/').pop() ?? ''
}

/** Asks how many bytes have arrived. */
async function locate(caller: Caller, id: string, file: Blob, signal: AbortSignal | null): Promise<Position> {
  const reply = await caller.ask(`${path}/${id}`, { method: 'HEAD', headers: version, signal }).catch(failed)
  if (Number(reply.headers.get('upload-length')) === file.size) return positionOf(reply)
  throw new ZoetropeError('This upload was begun with a file of another size.', {
    status: 0,
    code: 'other_file',
  })
}

/** The answer to HEAD has no text that says why. */
function failed(error: unknown): never {
  if (!(error instanceof ZoetropeError) || ![404, 410].includes(error.status)) throw error
  const { status } = error
  throw new ZoetropeError('This upload no longer exists: begin it again.', { status, code: 'gone' })
}

async function sendPiece(
  caller: Caller,
  id: string,
  piece: Blob,
  offset: number,
  signal: AbortSignal | null,
): Promise<Position> {
  const body = await piece.arrayBuffer()
  const headers = {
    ...version,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
    ...(await checksumOf(body)),
  }
  return positionOf(await caller.ask(`${path}/${id}`, { method: 'PATCH', headers, body, signal }))
}

const positionOf = ({ headers }: Response): Position => ({
  offset: Number(headers.get('upload-offset')),
  videoId: headers.get('x-video-id') ?? undefined,
})

/** Pages that were not loaded over https have no WebCrypto. */
async function checksumOf(bytes: ArrayBuffer): Promise<Record<string, string>> {
  if (!globalThis.crypto?.subtle) return {}
  return {
    'upload-checksum': `sha256 ${base64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`,
  }
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
