import { randomBytes } from 'node:crypto'
import { ListPartsCommand } from '@aws-sdk/client-s3'
import { StorageError } from '../storage-error.js'
import { takenOver } from '../takeover.js'
import type { S3Bucket } from './bucket.js'
import { abortMultipart, beginMultipart, completeMultipart, type StoredPart } from './multipart.js'
import { headObject } from './read-object.js'
import { failureOf } from './s3-error.js'
import { type Detour, type RecordName, type UploadRecord, writeRecord } from './upload-records.js'
import { copiedBytes, copyPart, newMark } from './write-object.js'

/**
 * A writer that was killed or taken over leaves parts that nobody counts. Ceph refuses to complete an upload unless every
 * part of it is named, and parts cannot be deleted. So the upload is completed with all its parts, and the right ones are
 * copied from that object to the final one. A record says so before, so that another process can go on anywhere.
 */
export const wantsAllParts = (error: unknown) => failureOf(error).name === 'InvalidPart'

/** Where an upload is, as far as this needs to know. */
interface StrayPlace {
  readonly bucket: S3Bucket
  readonly folder: string
  readonly target: string
}

/** A detour whose record is written. */
interface NotedDetour {
  readonly name: RecordName
  readonly record: UploadRecord
  readonly detour: Detour
}

const mostTries = 5

/** Makes the object of an upload whose record names all parts that count, and has no further bytes. */
export async function publishWithoutStrays(
  place: StrayPlace,
  name: RecordName,
  record: UploadRecord,
): Promise<void> {
  const { detour } = record
  let noted = detour ? { name, record, detour } : await noteDetour(place, name, record)
  for (let tries = 1; !(await completeWithAll(place, noted)); tries += 1) {
    if (tries === mostTries) throw lostParts(place.bucket)
    noted = await noteDetour(place, noted.name, noted.record)
  }
  await copyRanges(place, noted)
}

/** Makes the object with all parts, unless it is there; false if another part has arrived since they were listed. */
async function completeWithAll(
  { bucket, target }: StrayPlace,
  { record: { multipartId: id = '' }, detour: { mark, parts, size } }: NotedDetour,
): Promise<boolean> {
  const made = await headObject(bucket, target)
  if (made?.mark === mark) {
    // Another process has made it of other parts than these.
    if (made.size !== size) throw takenOver()
    return true
  }
  try {
    await completeMultipart(bucket, { key: target, id, mark }, parts, size)
    return true
  } catch (error) {
    if (wantsAllParts(error)) return false
    throw error
  }
}

/** Writes the record of what will be done. */
async function noteDetour(
  { bucket, folder, target }: StrayPlace,
  { epoch, offset }: RecordName,
  record: UploadRecord,
): Promise<NotedDetour> {
  const listed = await listParts(bucket, target, record.multipartId ?? '')
  const parts = listed.map(({ number, etag }): StoredPart => [number, etag])
  const size = listed.reduce((sum, { bytes }) => sum + bytes, 0)
  const ranges = rangesOf(listed, new Map(record.parts))
  if (!ranges) throw lostParts(bucket)
  const detour = { mark: record.detour?.mark ?? record.id, parts, size, ranges }
  const next = { ...record, id: newMark(), detour }
  const name = { epoch: epoch + 1, writer: randomBytes(8).toString('hex'), step: 1, offset }
  await writeRecord(bucket, folder, name, next)
  return { name, record: next, detour }
}

/** Where the parts that count are in an object of all parts; undefined if one is missing. */
function rangesOf(
  listed: readonly ListedPart[],
  counted: ReadonlyMap<number, string>,
): [start: number, end: number][] | undefined {
  const ranges: [start: number, end: number][] = []
  let found = 0
  let at = 0
  for (const { number, etag, bytes } of listed) {
    const [start, end] = [at, at + bytes]
    at = end
    if (withoutQuotes(counted.get(number)) !== withoutQuotes(etag)) continue
    found += 1
    const before = ranges.at(-1)
    if (before?.[1] === start) before[1] = end
    else ranges.push([start, end])
  }
  return found === counted.size ? ranges : undefined
}

const withoutQuotes = (etag = '') => etag.replaceAll('"', '')

const lostParts = ({ label }: S3Bucket) =>
  new StorageError('broken', `The store of ${label} lost parts of a file. It has to be stored again.`)

interface ListedPart {
  readonly number: number
  readonly etag: string
  readonly bytes: number
}

async function listParts(bucket: S3Bucket, key: string, id: string): Promise<ListedPart[]> {
  const listed: ListedPart[] = []
  for (let after: string | undefined; ; ) {
    const page = await bucket.send(
      () => new ListPartsCommand({ Bucket: bucket.name, Key: key, UploadId: id, PartNumberMarker: after }),
    )
    for (const { PartNumber: number = 0, ETag: etag = '', Size: bytes = 0 } of page.Parts ?? [])
      listed.push({ number, etag, bytes })
    after = page.NextPartNumberMarker
    if (!page.IsTruncated || !after) return listed.sort((a, b) => a.number - b.number)
  }
}

/** Replaces the object of all parts with ranges of it. */
async function copyRanges({ bucket, target }: StrayPlace, { record, detour }: NotedDetour): Promise<void> {
  const multipart = await beginMultipart(bucket, target, record.id)
  try {
    const parts: StoredPart[] = []
    let size = 0
    for (const [start, end] of detour.ranges)
      for (let at = start; at < end; at += copiedBytes) {
        const until = Math.min(at + copiedBytes, end)
        parts.push(await copyPart(bucket, multipart, `${bucket.name}/${target}`, parts.length + 1, at, until))
        size += until - at
      }
    // If another process has replaced it meanwhile, some of these ranges may be of the new object.
    const source = await headObject(bucket, target)
    if (source?.mark === detour.mark && source.size === detour.size)
      return await completeMultipart(bucket, multipart, parts, size)
    if (source?.mark !== record.id) throw takenOver()
    await abortMultipart(bucket, multipart)
  } catch (error) {
    await abortMultipart(bucket, multipart).catch(() => {})
    throw error
  }
}
