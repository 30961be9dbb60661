import { buffer } from 'node:stream/consumers'
import { StorageError } from '../storage-error.js'
import type { S3Bucket } from './bucket.js'
import { listObjects } from './list-objects.js'
import { putBytes, type StoredPart } from './multipart.js'
import { readObject } from './read-object.js'

/**
 * What is known about an unfinished upload, in an object that is never changed. The bytes up to its offset are in the
 * parts of a multipart upload, and in the record itself if they do not fill a part.
 */
export interface UploadRecord {
  /** Distinguishes this upload from others of the same key. */
  readonly id: string
  readonly multipartId?: string
  readonly parts: readonly StoredPart[]
  /** Whether its writer had no other request under way, so that no part can still arrive. */
  readonly isClean: boolean
  readonly tail: Buffer
  /** How the object is made from an upload with parts that do not count. */
  readonly detour?: Detour
}

/** The object with all parts that is made first: its mark, its parts and size, and the ranges of it that count. */
export interface Detour {
  readonly mark: string
  readonly parts: readonly StoredPart[]
  readonly size: number
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

/**
 * The name of a record says who wrote it. Records are ordered by the epoch of their writers, and a later epoch takes over.
 * Writers of the same epoch are ordered by chance. Step 0 is the claim of a writer; it has no content.
 */
export interface RecordName {
  readonly epoch: number
  readonly writer: string
  readonly step: number
  readonly offset: number
}

// Words of our keys do not begin with an underscore, so these names cannot collide.
const pattern = /^_(\d{10})-([0-9a-f]{16})-(\d{8})-(\d{16})$/
const padded = (value: number, digits: number) => String(value).padStart(digits, '0')
const wordOf = ({ epoch, writer, step, offset }: RecordName) =>
  `_${padded(epoch, 10)}-${writer}-${padded(step, 8)}-${padded(offset, 16)}`

export const recordKey = (folder: string, name: RecordName) => `${folder}${wordOf(name)}`

export function parseRecordName(word: string): RecordName | undefined {
  const [, epoch, writer, step, offset] = pattern.exec(word) ?? []
  if (writer === undefined) return undefined
  return { epoch: Number(epoch), writer, step: Number(step), offset: Number(offset) }
}

/** The records of an upload, the oldest first. */
export async function listRecords(bucket: S3Bucket, folder: string): Promise<RecordName[]> {
  const names: RecordName[] = []
  for await (const { key } of listObjects(bucket, folder)) {
    const name = parseRecordName(key.slice(folder.length))
    if (name) names.push(name)
  }
  return names
}

export const isLater = (one: RecordName, other: RecordName) =>
  one.epoch > other.epoch || (one.epoch === other.epoch && one.writer > other.writer)

/** The record that counts. */
export const lastRecord = (names: readonly RecordName[]) => names.findLast(({ step }) => step > 0)

export async function writeRecord(
  bucket: S3Bucket,
  folder: string,
  name: RecordName,
  { tail, ...facts }: UploadRecord,
): Promise<void> {
  const head = Buffer.from(`${JSON.stringify({ ...facts, tailBytes: tail.byteLength })}\n`)
  await putBytes(bucket, recordKey(folder, name), Buffer.concat([head, tail]))
}

export const writeClaim = (bucket: S3Bucket, folder: string, name: RecordName) =>
  putBytes(bucket, recordKey(folder, name), Buffer.alloc(0))

/** Undefined if a later writer has deleted it. */
export async function readRecord(
  bucket: S3Bucket,
  folder: string,
  name: RecordName,
): Promise<UploadRecord | undefined> {
  const object = await readObject(bucket, recordKey(folder, name))
  if (!object) return undefined
  const bytes = await buffer(object.body)
  const end = bytes.indexOf('\n')
  const { tailBytes, ...facts } = JSON.parse(bytes.subarray(0, end).toString()) as Omit<
    UploadRecord,
    'tail'
  > & {
    tailBytes: number
  }
  const tail = bytes.subarray(end + 1)
  if (tail.byteLength !== tailBytes)
    throw new StorageError(
      'broken',
      'Bytes of an unfinished upload were lost by the store. It has to begin again.',
    )
  return { ...facts, tail }
}
