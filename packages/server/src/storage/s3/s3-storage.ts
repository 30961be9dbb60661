import { mkdir, open, unlink } from 'node:fs/promises'
import type { S3Settings } from '../../config/storage-url.js'
import { type Aside, openAside, withScratch } from '../aside.js'
import { openToRead, ours } from '../disk.js'
import { checkKey } from '../keys.js'
import type { Storage } from '../storage.js'
import { plainly, StorageError } from '../storage-error.js'
import { type BlockCache, createBlockCache } from './block-cache.js'
import { createBlockFiles } from './block-files.js'
import { openBucket, type Patience, type S3Bucket } from './bucket.js'
import { createHotObjects } from './hot-objects.js'
import { listObjects, listWords, removeObject, removeObjects } from './list-objects.js'
import { headObject, readObject } from './read-object.js'
import { createS3Uploads } from './s3-upload.js'
import { copyObject, writeObject } from './write-object.js'

export interface S3StorageOptions {
  /** A folder of this machine for unfinished files and parts of films. */
  readonly cacheDir: string
  readonly cacheBytes: number
  readonly patience?: Patience
}

/**
 * Files in a bucket of an S3 store. `objects/` has them by key, `uploads/` the records of those that grow. Nothing rests
 * on conditional writes, which many stores lack.
 */
export async function openS3Storage(settings: S3Settings, options: S3StorageOptions): Promise<Storage> {
  const bucket = openBucket(settings, options.patience)
  await checkBucket(bucket)
  await mkdir(options.cacheDir, { recursive: true, mode: ours.folder })
  const aside = await openAside(options.cacheDir)
  const files = createBlockFiles(bucket, aside, options.cacheBytes)
  const cache = createBlockCache(bucket, files)
  const hot = createHotObjects(bucket, files)
  const uploads = createS3Uploads(bucket, aside)
  const top = `${bucket.prefix}objects/`
  const full = (key: string) => `${top}${checkKey(key)}`
  return {
    async put(key, body, limits = {}) {
      const written = await writeObject(bucket, full(key), body, limits)
      hot.forget(full(key))
      return written
    },
    async putFile(key, path) {
      const written = await putFile(bucket, full(key), path)
      hot.forget(full(key))
      return written
    },
    async stat(key) {
      const facts = await headObject(bucket, full(key))
      return facts && { size: facts.size, modifiedAt: facts.modifiedAt }
    },
    read: async (key, range) => readObject(bucket, full(key), range),
    readOften: async (key) => plainly(() => hot.read(full(key))),
    async direct(key, direct) {
      return (await headObject(bucket, full(key))) && bucket.presign(full(key), direct)
    },
    async move(from, to) {
      for (const key of [from, to]) hot.forget(full(key))
      return move(bucket, full(from), full(to))
    },
    async remove(key) {
      await removeObject(bucket, full(key))
      hot.forget(full(key))
    },
    async removeUnder(prefix) {
      const removed = await removeUnder(bucket, `${full(prefix)}/`)
      hot.forgetUnder(`${full(prefix)}/`)
      return removed
    },
    async *list(prefix, { after, limit } = {}) {
      const listed = listObjects(bucket, prefix === '' ? top : `${full(prefix)}/`, {
        limit,
        ...(after ? { after: `${top}${after}` } : {}),
      })
      for await (const object of listed) yield { ...object, key: object.key.slice(top.length) }
    },
    async *names(prefix) {
      yield* listWords(bucket, `${full(prefix)}/`)
    },
    withLocalFile: async (key, use) => withLocalFile(aside, cache, full(key), use),
    openParts: async (key) => plainly(() => cache.open(full(key))),
    withScratch: (use) => withScratch(aside, use),
    openUpload: async (key) => uploads.open(checkKey(key)),
    listUploads: () => uploads.list(),
    sweep: async () => (await aside.sweep()) + (await uploads.sweep()),
    freeBytes: async () => undefined,
  }
}

/** Without its bucket, every film would look missing. A listing says why it fails; other answers have no words. */
async function checkBucket(bucket: S3Bucket): Promise<void> {
  for await (const _ of listObjects(bucket, bucket.prefix, { limit: 1 })) return
}

async function putFile(bucket: S3Bucket, key: string, path: string): Promise<{ size: number }> {
  const file = await open(path, openToRead)
  const facts = await file.stat()
  if (!facts.isFile()) {
    await file.close()
    throw new StorageError('missing', 'The path to store is not a file.')
  }
  const { size } = await writeObject(bucket, key, file.createReadStream(), { size: facts.size })
  await unlink(path)
  return { size }
}

/** A copy and a deletion: if this is interrupted, both objects exist. */
async function move(bucket: S3Bucket, from: string, to: string): Promise<boolean> {
  if (from === to) return (await headObject(bucket, from)) !== undefined
  if (!(await copyObject(bucket, from, to))) return false
  await removeObject(bucket, from)
  return true
}

const removedAtOnce = 1000

async function removeUnder(bucket: S3Bucket, prefix: string): Promise<number> {
  let removed = 0
  for (;;) {
    const keys: string[] = []
    for await (const { key } of listObjects(bucket, prefix, { limit: removedAtOnce })) keys.push(key)
    if (keys.length === 0) return removed
    await removeObjects(bucket, keys)
    removed += keys.length
  }
}

async function withLocalFile<T>(
  aside: Aside,
  cache: BlockCache,
  key: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  return withScratch(aside, async (folder) => {
    const path = await plainly(() => cache.linkInto(folder, key))
    return use(path)
  })
}
