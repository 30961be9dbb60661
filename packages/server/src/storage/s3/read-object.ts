import { Readable } from 'node:stream'
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import type { ByteRange, ObjectFacts, OpenedObject } from '../storage.js'
import { hasReason, StorageError } from '../storage-error.js'
import { backOff, mostAttempts, type S3Bucket } from './bucket.js'
import { explainS3, failureOf } from './s3-error.js'

/** An object of the bucket, and which version of it. */
export interface S3Facts extends ObjectFacts {
  readonly etag: string
  /** The mark that its writer gave it. */
  readonly mark: string | undefined
}

/** The name of the mark among the metadata of an object. */
export const markName = 'zoetrope-write'

export async function headObject(bucket: S3Bucket, key: string): Promise<S3Facts | undefined> {
  try {
    const head = await bucket.send(() => new HeadObjectCommand({ Bucket: bucket.name, Key: key }))
    return {
      size: head.ContentLength ?? 0,
      modifiedAt: head.LastModified ?? new Date(),
      etag: head.ETag ?? '',
      mark: head.Metadata?.[markName],
    }
  } catch (error) {
    if (hasReason(error, 'missing')) return undefined
    throw error
  }
}

/** One answer of the store: a part of an object, from `start` up to but excluding `end`. */
interface RangeAnswer extends ObjectFacts {
  readonly body: Readable
  readonly etag: string
  readonly end: number
}

/**
 * Reads an object or a range of it. A body that is cut is continued from where it ended; a body of another version or of
 * another length than announced is an error, never a short object. With `etag`, only that version is read.
 */
export async function readObject(
  bucket: S3Bucket,
  key: string,
  range?: ByteRange,
  etag?: string,
): Promise<OpenedObject | undefined> {
  const start = Math.max(range?.start ?? 0, 0)
  const limit = range?.end ?? Number.POSITIVE_INFINITY
  if (limit <= start) return emptyPart(bucket, key)
  const reading = new AbortController()
  try {
    const first = await request(bucket, key, start, limit, reading.signal)
    if (etag !== undefined && first.etag !== etag) {
      first.body.destroy()
      throw replaced()
    }
    const body = Readable.from(bytesOf(bucket, key, start, first, reading.signal), {
      objectMode: false,
      highWaterMark: 256 * 1024,
    })
    body.once('close', () => {
      reading.abort()
      first.body.destroy()
    })
    return { body, size: first.size, modifiedAt: first.modifiedAt }
  } catch (error) {
    if (hasReason(error, 'missing')) return undefined
    // The range begins behind the end. So does every range of an empty object.
    if (failureOf(error).status === 416) return emptyPart(bucket, key)
    throw error
  }
}

async function emptyPart(bucket: S3Bucket, key: string): Promise<OpenedObject | undefined> {
  const facts = await headObject(bucket, key)
  return facts && { body: Readable.from([]), size: facts.size, modifiedAt: facts.modifiedAt }
}

/** Always asks for a range: only then does an answer say how long the whole object is. */
function request(
  bucket: S3Bucket,
  key: string,
  start: number,
  limit: number,
  signal: AbortSignal,
): Promise<RangeAnswer> {
  const last = Number.isFinite(limit) ? String(limit - 1) : ''
  return bucket.run(
    async (client, options) => {
      const command = new GetObjectCommand({ Bucket: bucket.name, Key: key, Range: `bytes=${start}-${last}` })
      const answer = await client.send(command, options)
      const body = answer.Body as Readable
      // Without a listener, an error between two reads would end the process.
      body.on('error', () => {})
      const [, from, to, total] =
        /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.ContentRange ?? '')?.map(Number) ?? []
      const end = total === undefined ? Number.NaN : Math.min(limit, total)
      if (from !== start || to !== end - 1 || answer.ContentLength !== end - start) {
        body.destroy()
        throw Object.assign(new Error('The answer has another length than was asked for.'), {
          code: 'WrongLength',
        })
      }
      return {
        body,
        end,
        size: total ?? 0,
        etag: answer.ETag ?? '',
        modifiedAt: answer.LastModified ?? new Date(),
      }
    },
    { signal },
  )
}

async function* bytesOf(
  bucket: S3Bucket,
  key: string,
  start: number,
  first: RangeAnswer,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let answer = first
  let at = start
  for (let failures = 0; ; ) {
    const ended: { cause?: unknown } = {}
    for await (const chunk of untilEnd(answer.body, bucket.patience.idleMs, ended)) {
      at += chunk.byteLength
      failures = 0
      yield chunk
    }
    if (at === first.end) return
    signal.throwIfAborted()
    failures += 1
    if (failures >= mostAttempts || at > first.end) throw explainS3(ended.cause, bucket.label)
    await backOff(bucket.patience, failures, signal)
    answer = await requestSame(bucket, key, at, first, signal)
  }
}

/** Asks for the rest of an object, of which a part has been read. */
async function requestSame(
  bucket: S3Bucket,
  key: string,
  start: number,
  { end, etag, size }: RangeAnswer,
  signal: AbortSignal,
): Promise<RangeAnswer> {
  const answer = await request(bucket, key, start, end, signal)
  if (answer.etag === etag && answer.size === size) return answer
  answer.body.destroy()
  throw replaced()
}

const replaced = () => new StorageError('replaced', 'The file was replaced while it was read.')

/**
 * The chunks of a body until it ends, for whatever reason. It also ends if the next chunk does not come in time; the time
 * that the reader takes does not count.
 */
async function* untilEnd(
  body: Readable,
  idleMs: number,
  ended: { cause?: unknown },
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  ended.cause = Object.assign(new Error('The answer was cut.'), { code: 'CutAnswer' })
  try {
    for (;;) {
      const next = await within(idleMs, body, chunks.next())
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    ended.cause = error
  } finally {
    body.destroy()
  }
}

function within<T>(idleMs: number, body: Readable, next: Promise<T>): Promise<T> {
  const stop = () => body.destroy(Object.assign(new Error('The answer stopped.'), { code: 'SilentAnswer' }))
  const timer = setTimeout(stop, idleMs)
  return next.finally(() => clearTimeout(timer))
}
