import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { hasReason, StorageError } from '../storage-error.js'
import { answerMsAfter, longAnswerMs, md5Of, type S3Bucket } from './bucket.js'
import { headObject, markName } from './read-object.js'

/** The size of every part but the last. Some stores want them equal, all want at least 5 MiB. */
export const partBytes = 8 * 1_048_576
export const mostParts = 10_000

/** The same for an object of which the size is known: larger if there would be too many. */
export const partBytesFor = (size = 0): number =>
  Math.max(partBytes, Math.ceil(size / mostParts / 1_048_576) * 1_048_576)

/** A part that the store has: its number and its etag. */
export type StoredPart = readonly [number: number, etag: string]

/** An object that is written in parts, and the mark by which it is recognised when it is there. */
export interface Multipart {
  readonly key: string
  readonly id: string
  readonly mark: string
}

export async function beginMultipart(bucket: S3Bucket, key: string, mark: string): Promise<Multipart> {
  const { UploadId: id } = await bucket.send(
    () => new CreateMultipartUploadCommand({ Bucket: bucket.name, Key: key, Metadata: { [markName]: mark } }),
  )
  if (!id) throw new StorageError('broken', `The store of ${bucket.label} began an upload without an id.`)
  return { key, id, mark }
}

export async function putPart(
  bucket: S3Bucket,
  { key, id }: Pick<Multipart, 'key' | 'id'>,
  number: number,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<StoredPart> {
  if (number > mostParts)
    throw new StorageError('too_large', `A file in an S3 store can have at most ${mostParts} parts.`)
  const { ETag: etag } = await bucket.send(
    () =>
      new UploadPartCommand({
        Bucket: bucket.name,
        Key: key,
        UploadId: id,
        PartNumber: number,
        Body: bytes,
        ContentMD5: md5Of(bytes),
      }),
    { signal, answerMs: answerMsAfter(bytes.byteLength) },
  )
  if (!etag) throw new StorageError('broken', `The store of ${bucket.label} took a part without an etag.`)
  return [number, etag]
}

/** Turns the parts into the object. Throws unless it is there with this size. */
export async function completeMultipart(
  bucket: S3Bucket,
  { key, id, mark }: Multipart,
  parts: readonly StoredPart[],
  size: number,
): Promise<void> {
  let isGone = false
  try {
    await bucket.send(
      () =>
        new CompleteMultipartUploadCommand({
          Bucket: bucket.name,
          Key: key,
          UploadId: id,
          MultipartUpload: { Parts: parts.map(([PartNumber, ETag]) => ({ PartNumber, ETag })) },
        }),
      { answerMs: longAnswerMs },
    )
  } catch (error) {
    // The answer to an earlier attempt may have been lost.
    if (!hasReason(error, 'missing')) throw error
    isGone = true
  }
  const facts = await headObject(bucket, key)
  // If the mark is another one, another writer has replaced the object since.
  if (facts?.mark === mark ? facts.size === size : facts && !isGone) return
  throw new StorageError(
    'broken',
    `The store of ${bucket.label} lost parts of a file. It has to be stored again.`,
  )
}

export async function abortMultipart(
  bucket: S3Bucket,
  { key, id }: Pick<Multipart, 'key' | 'id'>,
): Promise<void> {
  await bucket
    .send(() => new AbortMultipartUploadCommand({ Bucket: bucket.name, Key: key, UploadId: id }))
    .catch((error: unknown) => {
      if (!hasReason(error, 'missing')) throw error
    })
}

/** Writes an object that fits into one request. */
export async function putBytes(
  bucket: S3Bucket,
  key: string,
  bytes: Uint8Array,
  { mark, signal }: { mark?: string; signal?: AbortSignal } = {},
): Promise<void> {
  await bucket.send(
    () =>
      new PutObjectCommand({
        Bucket: bucket.name,
        Key: key,
        Body: bytes,
        ContentLength: bytes.byteLength,
        ContentMD5: md5Of(bytes),
        ...(mark ? { Metadata: { [markName]: mark } } : {}),
      }),
    { signal, answerMs: answerMsAfter(bytes.byteLength) },
  )
}
