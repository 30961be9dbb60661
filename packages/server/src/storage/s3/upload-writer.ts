import type { Hash } from 'node:crypto'
import { randomBytes } from 'node:crypto'
import type { KnownDigests } from '../known-digests.js'
import { StorageError } from '../storage-error.js'
import { takenOver } from '../takeover.js'
import type { S3Bucket } from './bucket.js'
import { removeObjects } from './list-objects.js'
import { beginMultipart, partBytes, putPart, type StoredPart } from './multipart.js'
import {
  isLater,
  lastRecord,
  listRecords,
  type RecordName,
  readRecord,
  recordKey,
  type UploadRecord,
  writeClaim,
  writeRecord,
} from './upload-records.js'
import { newMark } from './write-object.js'

/** Where an upload is in the bucket. */
export interface UploadPlace {
  readonly bucket: S3Bucket
  /** The key in the storage. */
  readonly key: string
  /** The beginning of the keys of its records. */
  readonly folder: string
  /** The key of the object it becomes. */
  readonly target: string
}

/**
 * A writer that was taken over or killed may still have parts under way. Its successor leaves out so many part numbers
 * that none of them can replace one of its own: a writer records each part before it sends the next but one.
 */
const skippedNumbers = 8

export const wrongOffset = (offset: number, atOffset: number) =>
  new StorageError('wrong_offset', `The upload continues at ${offset}, not at ${atOffset}.`)

/**
 * The record that counts, and its content. A writer that has claimed the upload since may have parts under way. Records
 * can be replaced between the list and the read.
 */
export async function currentRecord(
  { bucket, folder }: UploadPlace,
  ownWriter?: string,
): Promise<{ names: RecordName[]; last?: RecordName; record?: UploadRecord }> {
  for (let tries = 1; ; tries += 1) {
    const names = await listRecords(bucket, folder)
    const last = lastRecord(names)
    if (!last) return { names }
    const record = await readRecord(bucket, folder, last)
    const isClaimed = names.some((name) => isLater(name, last) && name.writer !== ownWriter)
    if (record) return { names, last, record: { ...record, isClean: record.isClean && !isClaimed } }
    if (tries === 20) throw takenOver()
  }
}

/** The number of the next part after a record. */
export const nextNumber = ({ parts, isClean }: UploadRecord) =>
  (parts.at(-1)?.[0] ?? 0) + 1 + (isClean ? 0 : skippedNumbers)

/** Adds bytes to an upload in the name of one writer. */
export interface UploadWriter {
  write(chunk: Uint8Array): Promise<void>
  /** Makes all written bytes safe, and returns the offset after them. */
  save(): Promise<number>
  /** Waits for requests under way. */
  settle(): Promise<void>
}

/**
 * Claims the upload for a new writer. The claim is written before the records are read, and a writer lists the records
 * after each one that it writes: so of two writers at once, at least one notices the other before it acknowledges bytes.
 */
export async function claimUpload(
  place: UploadPlace,
  digests: KnownDigests,
  atOffset: number,
): Promise<UploadWriter> {
  const { bucket, folder } = place
  const before = await listRecords(bucket, folder)
  const offset = lastRecord(before)?.offset ?? 0
  if (offset !== atOffset) throw wrongOffset(offset, atOffset)
  const claim: RecordName = {
    epoch: (before.at(-1)?.epoch ?? 0) + 1,
    writer: randomBytes(8).toString('hex'),
    step: 0,
    offset,
  }
  await writeClaim(bucket, folder, claim)
  const { names, last, record } = await currentRecord(place, claim.writer)
  if (names.some((name) => isLater(name, claim))) throw takenOver()
  const now = last?.offset ?? 0
  if (now !== atOffset) throw wrongOffset(now, atOffset)
  return startWriting(
    place,
    digests,
    claim,
    record ?? { id: newMark(), parts: [], isClean: true, tail: Buffer.alloc(0) },
  )
}

function startWriting(
  place: UploadPlace,
  digests: KnownDigests,
  claim: RecordName,
  base: UploadRecord,
): UploadWriter {
  const { bucket, folder, key, target } = place
  const { id } = base
  const hash = digests.continue(key, claim.offset)
  const parts: StoredPart[] = [...base.parts]
  let { multipartId } = base
  let number = nextNumber(base)
  let chunks: Uint8Array[] = [base.tail]
  let filled = base.tail.byteLength
  let position = claim.offset
  let saved = { step: 0, offset: claim.offset, isClean: true }
  let sending: Promise<void> = Promise.resolve()

  async function record(offset: number, tail: Buffer, isClean: boolean, digest: Hash | undefined) {
    const name = { ...claim, step: saved.step + 1, offset }
    await writeRecord(bucket, folder, name, { id, multipartId, parts, isClean, tail })
    const names = await listRecords(bucket, folder)
    if (names.some((other) => isLater(other, claim))) throw takenOver()
    saved = { step: name.step, offset, isClean }
    if (digest) digests.keep(key, offset, digest)
    // What was before this record is not needed any more. What cannot be deleted goes with the next.
    const outdated = names.filter(({ writer, step }) => writer !== claim.writer || step < name.step)
    await removeObjects(
      bucket,
      outdated.slice(0, 1000).map((each) => recordKey(folder, each)),
    ).catch(() => {})
  }

  async function send(bytes: Buffer, offset: number, digest: Hash | undefined) {
    multipartId ??= (await beginMultipart(bucket, target, id)).id
    parts.push(await putPart(bucket, { key: target, id: multipartId }, number, bytes))
    number += 1
    await record(offset, Buffer.alloc(0), false, digest)
  }

  return {
    async write(chunk) {
      for (let rest = chunk; rest.byteLength > 0; ) {
        const taken = rest.subarray(0, partBytes - filled)
        // The reader of a body may reuse its buffer.
        chunks.push(Buffer.from(taken))
        hash?.update(taken)
        filled += taken.byteLength
        position += taken.byteLength
        rest = rest.subarray(taken.byteLength)
        if (filled < partBytes) continue
        const bytes = Buffer.concat(chunks)
        chunks = []
        filled = 0
        // While one part is sent, the next is filled.
        await sending
        sending = send(bytes, position, hash?.copy())
        sending.catch(() => {})
      }
    },
    async save() {
      await sending
      if (position !== saved.offset || !saved.isClean)
        await record(position, Buffer.concat(chunks), true, hash)
      return position
    },
    settle: () => sending.catch(() => {}),
  }
}
