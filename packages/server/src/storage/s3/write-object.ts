import { createHash, randomBytes } from 'node:crypto'
import { CopyObjectCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3'
import { limited } from '../bytes.js'
import type { Digested, WriteLimits } from '../storage.js'
import { hasReason, StorageError } from '../storage-error.js'
import { longAnswerMs, type S3Bucket } from './bucket.js'
import {
  abortMultipart,
  beginMultipart,
  completeMultipart,
  type Multipart,
  partBytesFor,
  putBytes,
  putPart,
  type StoredPart,
} from './multipart.js'
import { headObject } from './read-object.js'

/** Bounds the memory of a writer: these parts, and the one that is being filled. */
const mostAtOnce = 2
/**
 * Larger objects are copied in parts: a store sends nothing while it copies, and a connection that is silent for too long is
 * given up.
 */
export const copiedBytes = 512 * 1_048_576

export const newMark = () => randomBytes(12).toString('hex')

/** Cuts a body into pieces of this size; the last one may be shorter, and an empty body has none. */
async function* piecesOf(body: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body)
    for (let rest = chunk; rest.byteLength > 0; ) {
      const taken = rest.subarray(0, size - length)
      chunks.push(taken)
      length += taken.byteLength
      rest = rest.subarray(taken.byteLength)
      if (length < size) continue
      yield Buffer.concat(chunks)
      chunks = []
      length = 0
    }
  if (length > 0) yield Buffer.concat(chunks)
}

/** Writes a complete object: a small one in one request, a larger one in parts. */
export async function writeObject(
  bucket: S3Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
  limits: WriteLimits,
): Promise<Digested> {
  const { signal } = limits
  const hash = createHash('sha256')
  let size = 0
  let held: Buffer | undefined
  let parts: PartsWriter | undefined
  try {
    for await (const piece of piecesOf(limited(body, limits), partBytesFor(limits.size))) {
      hash.update(piece)
      size += piece.byteLength
      if (held) {
        parts ??= await beginParts(bucket, key, signal)
        await parts.add(held)
      }
      held = piece
    }
    const last = held ?? Buffer.alloc(0)
    if (parts) await parts.complete(last, size)
    else await putBytes(bucket, key, last, { signal })
    return { size, sha256: hash.digest('hex') }
  } catch (error) {
    await parts?.abort()
    throw error
  }
}

interface PartsWriter {
  /** Begins to send a part, and waits while too many are under way. */
  add(bytes: Buffer): Promise<void>
  complete(last: Buffer, size: number): Promise<void>
  abort(): Promise<void>
}

async function beginParts(bucket: S3Bucket, key: string, signal?: AbortSignal): Promise<PartsWriter> {
  const multipart = await beginMultipart(bucket, key, newMark())
  const sent: Promise<StoredPart>[] = []
  const add = async (bytes: Buffer) => {
    await sent.at(-mostAtOnce)
    const part = putPart(bucket, multipart, sent.length + 1, bytes, signal)
    // Its failure is noticed when it is awaited.
    part.catch(() => {})
    sent.push(part)
  }
  return {
    add,
    async complete(last, size) {
      await add(last)
      await completeMultipart(bucket, multipart, await Promise.all(sent), size)
    },
    async abort() {
      await Promise.allSettled(sent)
      // The sweep aborts it later if this fails.
      await abortMultipart(bucket, multipart).catch(() => {})
    },
  }
}

/** Copies an object inside the bucket; false if it does not exist. */
export async function copyObject(
  bucket: S3Bucket,
  from: string,
  to: string,
  largest = copiedBytes,
): Promise<boolean> {
  const facts = await headObject(bucket, from)
  if (!facts) return false
  const source = `${bucket.name}/${from}`
  try {
    if (facts.size > largest) await copyInParts(bucket, source, to, facts.size)
    else
      await bucket.send(() => new CopyObjectCommand({ Bucket: bucket.name, Key: to, CopySource: source }), {
        answerMs: longAnswerMs,
      })
  } catch (error) {
    if (hasReason(error, 'missing')) return false
    throw error
  }
  if ((await headObject(bucket, to))?.size !== facts.size)
    throw new StorageError('broken', `The store of ${bucket.label} made an incomplete copy of a file.`)
  return true
}

async function copyInParts(bucket: S3Bucket, source: string, to: string, size: number): Promise<void> {
  const multipart = await beginMultipart(bucket, to, newMark())
  try {
    const parts: StoredPart[] = []
    for (let start = 0; start < size; start += copiedBytes)
      parts.push(
        await copyPart(
          bucket,
          multipart,
          source,
          parts.length + 1,
          start,
          Math.min(start + copiedBytes, size),
        ),
      )
    await completeMultipart(bucket, multipart, parts, size)
  } catch (error) {
    await abortMultipart(bucket, multipart).catch(() => {})
    throw error
  }
}

/** Copies a range of an object, from `start` up to but excluding `end`, into a part of another. */
export async function copyPart(
  bucket: S3Bucket,
  { key, id }: Multipart,
  source: string,
  number: number,
  start: number,
  end: number,
): Promise<StoredPart> {
  const { CopyPartResult } = await bucket.send(
    () =>
      new UploadPartCopyCommand({
        Bucket: bucket.name,
        Key: key,
        UploadId: id,
        PartNumber: number,
        CopySource: source,
        CopySourceRange: `bytes=${start}-${end - 1}`,
      }),
    { answerMs: longAnswerMs },
  )
  return [number, CopyPartResult?.ETag ?? '']
}
