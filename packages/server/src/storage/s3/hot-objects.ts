import { Readable } from 'node:stream'
import { createBoundedMap } from '../../lib/bounded-map.js'
import type { OpenedObject } from '../storage.js'
import { hasReason } from '../storage-error.js'
import { partsOf } from './block-cache.js'
import { blockBytes } from './block-file.js'
import { type BlockFiles, findVersion, type ObjectVersion } from './block-files.js'
import type { S3Bucket } from './bucket.js'
import { readObject } from './read-object.js'

/** Larger objects are not kept. Nearly all segments are far smaller. */
const largestBytes = 4 * blockBytes
/** How many objects are remembered as read. */
const mostRemembered = 100_000

/**
 * Objects that never change, on the local disk from their second reader on: then they are likely to get more. They share
 * their room with parts of films, and are read from the disk also while the store is away.
 */
export interface HotObjects {
  read(key: string): Promise<OpenedObject | undefined>
  /** The object was deleted or replaced by this process. */
  forget(key: string): void
  forgetUnder(prefix: string): void
}

export function createHotObjects(bucket: S3Bucket, files: BlockFiles): HotObjects {
  const known = createBoundedMap<ObjectVersion | 'read once'>(mostRemembered)

  async function fromStore(key: string): Promise<OpenedObject | undefined> {
    const object = await readObject(bucket, key)
    if (object) known.set(key, 'read once')
    else known.delete(key)
    return object
  }

  return {
    async read(key) {
      const before = known.get(key)
      if (before === undefined) return fromStore(key)
      try {
        const object = before === 'read once' ? await findVersion(bucket, key) : before
        if (object.facts.size > largestBytes) return await fromStore(key)
        await fetchAll(files, object)
        known.set(key, object)
        const { size, modifiedAt } = object.facts
        const bytes = partsOf(files, object).read({ start: 0, end: size })
        return { body: Readable.from(bytes, { objectMode: false }), size, modifiedAt }
      } catch (error) {
        if (hasReason(error, 'away')) throw error
        // The disk is full, or the copy was forgotten and the store has another version by now.
        return fromStore(key)
      }
    },
    forget: (key) => known.delete(key),
    forgetUnder(prefix) {
      for (const [key] of known.entries()) if (key.startsWith(prefix)) known.delete(key)
    },
  }
}

/** Before an answer begins: what fails later can only cut it. */
async function fetchAll(files: BlockFiles, object: ObjectVersion): Promise<void> {
  const file = await files.of(object)
  const blocks = Math.ceil(object.facts.size / blockBytes)
  await Promise.all(Array.from({ length: blocks }, (_, block) => file.fetch(block)))
}
