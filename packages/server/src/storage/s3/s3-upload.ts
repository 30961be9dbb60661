import { createHash, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { Aside } from '../aside.js'
import { digestOf, limited } from '../bytes.js'
import { ours, withFile, writeAt } from '../disk.js'
import { checkFinished, checkOffset } from '../finished-size.js'
import { createKnownDigests, type KnownDigests } from '../known-digests.js'
import type { AppendOptions, Digested, Upload } from '../storage.js'
import { plainly, StorageError } from '../storage-error.js'
import { createTakeover } from '../takeover.js'
import type { S3Bucket } from './bucket.js'
import { listMultiparts, listObjects, removeObjects } from './list-objects.js'
import { abortMultipart, completeMultipart, putBytes, putPart } from './multipart.js'
import { headObject, readObject } from './read-object.js'
import { publishWithoutStrays, wantsAllParts } from './stray-parts.js'
import {
  lastRecord,
  listRecords,
  parseRecordName,
  type RecordName,
  recordKey,
  type UploadRecord,
} from './upload-records.js'
import { claimUpload, currentRecord, nextNumber, type UploadPlace, wrongOffset } from './upload-writer.js'

/** Multipart uploads without a record are left alone for so long: a large file may still be on its way into them. */
const abandonedMs = 7 * 24 * 3600_000

/** Uploads as parts of a multipart upload, with a record of how far it is. Any process can continue them. */
export function createS3Uploads(bucket: S3Bucket, aside: Aside) {
  const digests = createKnownDigests()
  const alone = createTakeover()
  const top = `${bucket.prefix}uploads/`
  const objects = `${bucket.prefix}objects/`
  const placeOf = (key: string): UploadPlace => ({
    bucket,
    key,
    folder: `${top}${key}/`,
    target: `${objects}${key}`,
  })

  function open(key: string): Upload {
    const place = placeOf(key)
    return {
      offset: async () => lastRecord(await listRecords(bucket, place.folder))?.offset ?? 0,
      append: (body, atOffset, options = {}) =>
        alone(key, (stopped) => append(place, digests, aside, body, atOffset, options, stopped)),
      finish: (size) => alone(key, () => finish(place, digests, size)),
      abort: () => alone(key, () => abort(place, digests)),
    }
  }

  /** The records of an upload follow each other, the newest last. */
  async function* list() {
    let last: { key: string; modifiedAt: Date } | undefined
    for await (const { key: full, modifiedAt } of listObjects(bucket, top)) {
      const key = uploadOf(full.slice(top.length))
      if (last && last.key !== key) yield last
      last = key === undefined ? undefined : { key, modifiedAt }
    }
    if (last) yield last
  }

  /** Aborts multipart uploads that nobody can continue or finish. */
  async function sweep(): Promise<number> {
    let swept = 0
    for await (const { key, id, begunAt } of listMultiparts(bucket, objects)) {
      if (Date.now() - begunAt.getTime() < abandonedMs) continue
      const { record } = await currentRecord(placeOf(key.slice(objects.length)))
      if (record?.multipartId === id) continue
      await abortMultipart(bucket, { key, id })
      swept += 1
    }
    return swept
  }

  return { open, list, sweep }
}

/** The key of the upload that a record belongs to. */
function uploadOf(path: string): string | undefined {
  const cut = path.lastIndexOf('/')
  return parseRecordName(path.slice(cut + 1)) && path.slice(0, cut)
}

async function append(
  place: UploadPlace,
  digests: KnownDigests,
  aside: Aside,
  body: AsyncIterable<Uint8Array>,
  atOffset: number,
  { checksum, maxBytes, signal }: AppendOptions,
  stopped: AbortSignal,
): Promise<number> {
  const chunks = limited(body, { maxBytes, signal: signal ? AbortSignal.any([signal, stopped]) : stopped })
  if (!checksum) return write(place, digests, chunks, atOffset, stopped)
  const offset = lastRecord(await listRecords(place.bucket, place.folder))?.offset ?? 0
  if (offset !== atOffset) throw wrongOffset(offset, atOffset)
  // The parts of the store cannot be taken back, so the bytes wait on the disk until they are known to be right.
  const path = await aside.path()
  try {
    await plainly(() => keepIfRight(path, chunks, checksum))
    return await write(place, digests, createReadStream(path), atOffset, stopped)
  } finally {
    await rm(path, { force: true })
  }
}

async function keepIfRight(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { algorithm, digest }: NonNullable<AppendOptions['checksum']>,
): Promise<void> {
  const hash = createHash(algorithm)
  // Not with a stream, which would still hold chunks when the next ones are requested.
  await withFile(await open(path, 'wx', ours.file), async (file) => {
    let position = 0
    for await (const chunk of chunks) {
      hash.update(chunk)
      await writeAt(file, chunk, position)
      position += chunk.byteLength
    }
  })
  const actual = hash.digest()
  if (actual.byteLength !== digest.byteLength || !timingSafeEqual(actual, digest))
    throw new StorageError('checksum', 'The received bytes do not have the announced checksum.')
}

async function write(
  place: UploadPlace,
  digests: KnownDigests,
  chunks: AsyncIterable<Uint8Array>,
  atOffset: number,
  stopped: AbortSignal,
): Promise<number> {
  const writer = await claimUpload(place, digests, atOffset)
  try {
    for await (const chunk of chunks) await writer.write(chunk)
  } catch (error) {
    // Report the first error, even if this causes another.
    if (!stopped.aborted) await writer.save().catch(() => {})
    await writer.settle()
    throw error
  }
  return writer.save()
}

async function finish(place: UploadPlace, digests: KnownDigests, size?: number): Promise<Digested> {
  const { bucket, target, key } = place
  const { last, record } = await currentRecord(place)
  if (!last || !record) {
    const done = await objectDigest(bucket, target)
    if (!done) throw new StorageError('missing', 'There is no such upload, and no object that it became.')
    checkFinished(done, size)
    await forget(place, digests)
    return done
  }
  const known = digests.continue(key, last.offset)
  // If it was finished before, a record that came too late must not change the object.
  const isFinished = (await headObject(bucket, target))?.mark === record.id
  if (!isFinished) {
    checkOffset(last.offset, size)
    await publish(place, last, record)
  }
  const digested =
    known && !isFinished
      ? { size: last.offset, sha256: known.digest('hex') }
      : await objectDigest(bucket, target)
  if (!digested || (!isFinished && digested.size !== last.offset))
    throw new StorageError(
      'broken',
      'Bytes of a finished upload were lost by the store. It has to begin again.',
    )
  checkFinished(digested, size)
  await forget(place, digests)
  return digested
}

async function publish(place: UploadPlace, last: RecordName, record: UploadRecord): Promise<void> {
  const { bucket, target } = place
  const { id: mark, multipartId: id, tail, detour } = record
  if (!id) return putBytes(bucket, target, tail, { mark })
  if (detour) return publishWithoutStrays(place, last, record)
  const rest =
    tail.byteLength > 0 ? [await putPart(bucket, { key: target, id }, nextNumber(record), tail)] : []
  const parts = [...record.parts, ...rest]
  try {
    await completeMultipart(bucket, { key: target, id, mark }, parts, last.offset)
  } catch (error) {
    if (!wantsAllParts(error)) throw error
    await publishWithoutStrays(place, last, { ...record, parts, tail: Buffer.alloc(0) })
  }
}

async function objectDigest(bucket: S3Bucket, key: string): Promise<Digested | undefined> {
  const object = await readObject(bucket, key)
  return object && digestOf(object.body)
}

async function abort(place: UploadPlace, digests: KnownDigests): Promise<void> {
  const { bucket, target } = place
  const { record } = await currentRecord(place)
  if (record?.multipartId) await abortMultipart(bucket, { key: target, id: record.multipartId })
  await forget(place, digests)
}

async function forget({ bucket, folder, key }: UploadPlace, digests: KnownDigests): Promise<void> {
  digests.forget(key)
  for (;;) {
    const names = await listRecords(bucket, folder)
    if (names.length === 0) return
    await removeObjects(
      bucket,
      names.slice(0, 1000).map((name) => recordKey(folder, name)),
    )
  }
}
