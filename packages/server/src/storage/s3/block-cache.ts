import { basename, join } from 'node:path'
import type { ObjectParts } from '../storage.js'
import { hasReason } from '../storage-error.js'
import { blockAt, blockBytes } from './block-file.js'
import { type BlockFiles, findVersion, noLonger, type ObjectVersion } from './block-files.js'
import type { S3Bucket } from './bucket.js'

/** How many blocks are fetched at the same time for a copy, or ahead of a reader that reads on and on. */
const mostAhead = 4
/** Nearly all of a smaller object would be fetched anyway, and a local file is read faster. */
const wholeBytes = mostAhead * blockBytes
/** What a reader gets at once. */
const chunkBytes = 262_144
/** How often a file may be replaced or deleted while it is copied. */
const mostTries = 5

/** Parts of objects on the local disk, shared by all who read the same version, and kept while there is room. */
export interface BlockCache {
  /** Reads an object by its parts; `undefined` if all of it is on the disk, or it is small. */
  open(key: string): Promise<ObjectParts | undefined>
  /** Fetches all that is missing, puts a link to the file into the folder, and returns its path. */
  linkInto(folder: string, key: string): Promise<string>
}

export function createBlockCache(bucket: S3Bucket, files: BlockFiles): BlockCache {
  return {
    async open(key) {
      const object = await findVersion(bucket, key)
      return object.facts.size <= wholeBytes || files.hasAllOf(object) ? undefined : partsOf(files, object)
    },
    async linkInto(folder, key) {
      const path = join(folder, basename(key))
      for (let tries = 1; tries <= mostTries; tries += 1)
        if (await linkWhole(files, await findVersion(bucket, key), path)) return path
      throw noLonger()
    },
  }
}

/** False if the object was replaced, or the file deleted, meanwhile. */
async function linkWhole(files: BlockFiles, object: ObjectVersion, path: string): Promise<boolean> {
  const file = await files.of(object)
  let next = 0
  const fetchRest = async () => {
    while (next * blockBytes < object.facts.size) {
      next += 1
      await file.fetch(next - 1)
    }
  }
  return files.keeping(file, async () => {
    try {
      await Promise.all(Array.from({ length: mostAhead }, fetchRest))
    } catch (error) {
      if (hasReason(error, 'replaced')) return false
      throw error
    }
    const isLinked = file.isWhole() && (await file.linkTo(path))
    if (!isLinked) await files.forget(object, file)
    return isLinked
  })
}

/** Reads one version of an object by its parts. */
export function partsOf(files: BlockFiles, object: ObjectVersion): ObjectParts {
  const { size } = object.facts
  const readAhead = createReadAhead(files, object)
  return {
    size,
    async *read({ start, end }) {
      for (let at = start; at < Math.min(end, size); ) {
        const block = blockAt(at)
        const until = Math.min(end, size, (block + 1) * blockBytes, at + chunkBytes)
        const bytes = readInBlock(files, object, at, until)
        await Promise.all([bytes, readAhead(block)])
        yield await bytes
        at = until
      }
    },
  }
}

/** Bytes inside one block, from a new file if the one before was deleted. */
async function readInBlock(
  files: BlockFiles,
  object: ObjectVersion,
  start: number,
  end: number,
): Promise<Buffer> {
  for (;;) {
    const file = await files.of(object)
    const bytes = await file.read(start, end)
    if (bytes) return bytes
    await files.forget(object, file)
  }
}

/**
 * Fetches more and more blocks ahead of a reader that takes one block after the other. One step is not enough: a
 * program that opens a film is sent more than it reads.
 */
function createReadAhead(files: BlockFiles, object: ObjectVersion): (block: number) => Promise<void> {
  // Where there is little room, what was fetched ahead would be forgotten before it is read.
  const most = Math.min(mostAhead, Math.floor(files.mostBytes / wholeBytes))
  let last = -2
  let steps = 0
  return async (block) => {
    if (block === last) return
    steps = block === last + 1 ? steps + 1 : 0
    last = block
    const file = await files.of(object)
    const ahead = Math.min(steps - 1, most)
    for (let next = block + 1; next <= block + ahead; next += 1)
      // A reader that needs the block fetches it again, and gets the error.
      if (next * blockBytes < object.facts.size) file.fetch(next).catch(() => {})
  }
}
