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
  /** The object was deleted or replaced by this process. That it was read counts for the next version, too. */
  forget(key: string): void
  forgetUnder(prefix: string): void
}

export function createHotObjects(bucket: S3Bucket, files: BlockFiles): HotObjects {
  const known = createBoundedMap<ObjectVersion | 'read once'>(mostRemembered)

  async function fromStore(key: string): Promise<OpenedObject | undefined> {
    // Before the store answers, so that of many first readers only one asks it.
    known.set(key, 'read once')
    const object = await readObject(bucket, key)
    if (!object) known.delete(key)
    return object
  }

  /** From the local disk, after it was fetched; undefined if it is too large for that, or the disk is full. */
  async function fromDisk(
    key: string,
    before: ObjectVersion | 'read once',
  ): Promise<OpenedObject | undefined> {
    const object = before === 'read once' ? await findVersion(bucket, key) : before
    const { size, modifiedAt } = object.facts
    if (size > largestBytes || !(await fetchAll(files, object))) return undefined
    // Not if it was replaced or deleted meanwhile.
    if (known.get(key) === before) known.set(key, object)
    const bytes = partsOf(files, object).read({ start: 0, end: size })
    return { body: Readable.from(bytes, { objectMode: false }), size, modifiedAt }
  }

  return {
    async read(key) {
      const before = known.get(key)
      if (before === undefined) return fromStore(key)
      const kept = await fromDisk(key, before).catch((error: unknown) => {
        if (hasReason(error, 'away')) throw error
        // The copy was forgotten, and the store has another version by now.
        return undefined
      })
      return kept ?? fromStore(key)
    },
    forget(key) {
      // A reader may have been faster than the process that wrote it and says so now.
      if (known.get(key) !== undefined) known.set(key, 'read once')
    },
    forgetUnder(prefix) {
      for (const [key] of known.entries()) if (key.startsWith(prefix)) known.delete(key)
    },
  }
}

/** Before an answer begins: what fails later can only cut it. False if the disk is full. */
async function fetchAll(files: BlockFiles, object: ObjectVersion): Promise<boolean> {
  const file = await files.of(object)
  const blocks = Math.ceil(object.facts.size / blockBytes)
  try {
    await Promise.all(Array.from({ length: blocks }, (_, block) => file.fetch(block)))
  } finally {
    // It would keep in memory what the disk has no room for.
    if (!file.isWhole()) await files.forget(object, file)
  }
  return file.isWhole()
}
