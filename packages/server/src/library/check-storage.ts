import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { StorageAbility, StorageCheck } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { keepRecord, readRecord } from '../db/records.js'
import { partBytes } from '../storage/s3/multipart.js'
import type { Storage } from '../storage/storage.js'

const folder = 'check'
/** Signatures of requests to S3 are refused beyond a quarter of an hour. */
const longestSkewMs = 5 * 60_000
const slowMs = 1000
/** More than one part of an upload to S3. */
const uploadBytes = partBytes + 1_048_576

interface StorageTrial {
  readonly name: string
  /** Returns a sentence about what was seen. */
  readonly run: (storage: Storage, at: string) => Promise<string>
  readonly remedy: string
}

const rights =
  'Give the key of STORAGE_URL the right to it in the bucket; on a disk, check the owner of the folder.'
const text = Buffer.from('Zoetrope checks this storage.')

const trials: readonly StorageTrial[] = [
  {
    name: 'Write',
    run: async (storage, at) => {
      await storage.put(`${at}/object`, one(text))
      return 'An object can be written.'
    },
    remedy: `${rights} (s3:PutObject)`,
  },
  {
    name: 'Read',
    run: async (storage, at) => {
      const begun = performance.now()
      const found = await contentOf(storage, `${at}/object`)
      const took = Math.round(performance.now() - begun)
      must(found.equals(text), 'It is read with other bytes than were written.')
      must(took < slowMs, `Its first byte comes after ${took} ms, which is slow.`)
      return `It is read unchanged. The first byte comes after ${took} ms.`
    },
    remedy: `${rights} (s3:GetObject) If it is slow, use a store in the same place as the servers.`,
  },
  {
    name: 'Ranges',
    run: async (storage, at) => {
      const found = await contentOf(storage, `${at}/object`, { start: 9, end: 15 })
      must(found.toString() === 'checks', 'Other bytes than the requested ones are returned.')
      return 'A part of an object can be read.'
    },
    remedy: 'Use a store that supports range requests; without them, nobody can seek in a film.',
  },
  {
    name: 'Uploads',
    run: async (storage, at) => {
      const upload = await storage.openUpload(`${at}/upload`)
      const half = randomBytes(uploadBytes)
      await upload.append(one(half), 0)
      await upload.append(one(text), uploadBytes)
      const { size } = await upload.finish()
      must(size === uploadBytes + text.length, 'The upload has another size than was sent.')
      return 'A large upload in several parts can be finished.'
    },
    remedy: `${rights} (s3:PutObject, s3:AbortMultipartUpload, s3:ListMultipartUploadParts)`,
  },
  {
    name: 'Unfinished uploads',
    run: async (storage) => {
      await storage.sweep()
      return 'Uploads that nobody finishes can be found and removed.'
    },
    remedy: `${rights} (s3:ListBucketMultipartUploads, s3:AbortMultipartUpload)`,
  },
  {
    name: 'Rename',
    run: async (storage, at) => {
      must(await storage.move(`${at}/object`, `${at}/renamed`), 'An object that exists could not be renamed.')
      return 'An object can be renamed, so that removed films are set aside first.'
    },
    remedy: `${rights} (s3:GetObject, s3:PutObject, s3:DeleteObject)`,
  },
  {
    name: 'List',
    run: async (storage, at) => {
      const keys: string[] = []
      for await (const { key } of storage.list(at)) keys.push(key)
      must(keys.join() === `${at}/renamed,${at}/upload`, 'A list lacks objects that were just written.')
      return 'Objects are listed at once, in order.'
    },
    remedy: `${rights} (s3:ListBucket)`,
  },
  {
    name: 'Clock',
    run: async (storage, at) => {
      const found = await storage.stat(`${at}/upload`)
      if (!found) throw new Error('The upload that was just finished is not there.')
      const seconds = Math.round(Math.abs(Date.now() - found.modifiedAt.getTime()) / 1000)
      must(seconds * 1000 < longestSkewMs, `The clocks of storage and server differ by ${seconds} seconds.`)
      return 'The clocks of storage and server agree.'
    },
    remedy: 'Have both machines set their clocks by NTP.',
  },
  {
    name: 'Delete',
    run: async (storage, at) => {
      await storage.removeUnder(at)
      for await (const { key } of storage.list(at)) throw new Error(`${key} is still listed.`)
      return 'Several objects can be deleted at once.'
    },
    remedy: `${rights} (s3:DeleteObject)`,
  },
]

function must(isRight: boolean, trouble: string): void {
  if (!isRight) throw new Error(trouble)
}

async function* one(bytes: Uint8Array) {
  yield bytes
}

async function contentOf(storage: Storage, key: string, range?: { start: number; end: number }) {
  const opened = await storage.read(key, range)
  if (!opened) throw new Error('The object that was just written is not there.')
  return buffer(opened.body)
}

/** Tries everything that Zoetrope needs of a storage, on objects of its own. */
export async function checkStorage(storage: Storage): Promise<StorageCheck> {
  const at = `${folder}/${randomBytes(8).toString('hex')}`
  const results: StorageAbility[] = []
  for (const { name, run, remedy } of trials)
    try {
      results.push({ name, ok: true, sentence: await run(storage, at), remedy: null })
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error)
      results.push({ name, ok: false, sentence, remedy })
    }
  await storage.removeUnder(at).catch(() => {})
  return { checked_at: new Date().toISOString(), results }
}

const recordName = 'storage_check'

export const keepCheck = (db: Db, check: StorageCheck): Promise<void> =>
  keepRecord(db, recordName, JSON.stringify(check))

/** The last check, if there was one. */
export async function lastCheck(db: Db): Promise<StorageCheck | undefined> {
  const kept = await readRecord(db, recordName)
  return kept === undefined ? undefined : (JSON.parse(kept) as StorageCheck)
}
