import { createTurns } from '../../lib/in-turn.js'
import type { Aside } from '../aside.js'
import { StorageError } from '../storage-error.js'
import { type BlockFile, createBlockFile } from './block-file.js'
import type { S3Bucket } from './bucket.js'
import { headObject, readObject, type S3Facts } from './read-object.js'

/** How many blocks are fetched at the same time, by all readers. */
const fetchedAtOnce = 8

/** One version of an object. */
export interface ObjectVersion {
  readonly id: string
  readonly key: string
  readonly facts: S3Facts
}

/** Local files with parts of objects. If they take too much room, those used least recently are forgotten. */
export interface BlockFiles {
  readonly mostBytes: number
  of(object: ObjectVersion): Promise<BlockFile>
  /** Whether all bytes of the object are there. */
  hasAllOf(object: ObjectVersion): boolean
  /** Deletes a file. Readers of the object get a new one, and fetch again what they miss. */
  forget(object: ObjectVersion, file: BlockFile): Promise<void>
  /** Forgets everything but this file while `use` runs, if there is not enough room. */
  keeping<T>(file: BlockFile, use: () => Promise<T>): Promise<T>
}

export async function findVersion(bucket: S3Bucket, key: string): Promise<ObjectVersion> {
  const facts = await headObject(bucket, key)
  if (!facts) throw noLonger()
  return { id: `${key} ${facts.etag} ${facts.size}`, key, facts }
}

export const noLonger = () => new StorageError('missing', 'The file is no longer in the media storage.')

export function createBlockFiles(bucket: S3Bucket, aside: Aside, mostBytes: number): BlockFiles {
  // Those used last are at the end.
  const files = new Map<string, BlockFile>()
  const creating = new Map<string, Promise<BlockFile>>()
  const kept = new Set<BlockFile>()
  const inTurn = createTurns(fetchedAtOnce)
  /** What all files take. */
  let taken = 0

  function forget(id: string, file: BlockFile): Promise<void> {
    if (files.get(id) === file) {
      files.delete(id)
      taken -= file.bytes()
    }
    return file.remove()
  }

  async function makeRoom(bytes: number): Promise<void> {
    const forgotten: Promise<void>[] = []
    for (const [id, file] of files) {
      if (taken + bytes <= mostBytes) break
      if (!kept.has(file) && file.bytes() > 0) forgotten.push(forget(id, file))
    }
    await Promise.all(forgotten)
  }

  async function create({ id, key, facts }: ObjectVersion): Promise<BlockFile> {
    const fetchBytes = (start: number, end: number) =>
      inTurn('blocks', async () => {
        await makeRoom(end - start)
        return readBlock(bucket, key, facts, start, end)
      })
    const onKept = (bytes: number) => {
      if (files.get(id) === file) taken += bytes
    }
    const file = await createBlockFile(await aside.path(), facts.size, fetchBytes, onKept)
    files.set(id, file)
    return file
  }

  return {
    mostBytes,
    async of(object) {
      const known = files.get(object.id)
      if (known) {
        files.delete(object.id)
        files.set(object.id, known)
        return known
      }
      const begun = creating.get(object.id) ?? create(object).finally(() => creating.delete(object.id))
      creating.set(object.id, begun)
      return begun
    },
    hasAllOf: ({ id }) => files.get(id)?.isWhole() ?? false,
    forget: ({ id }, file) => forget(id, file),
    async keeping(file, use) {
      kept.add(file)
      try {
        return await use()
      } finally {
        kept.delete(file)
        await makeRoom(0)
      }
    },
  }
}

async function readBlock(
  bucket: S3Bucket,
  key: string,
  { etag }: S3Facts,
  start: number,
  end: number,
): Promise<Buffer> {
  const block = await readObject(bucket, key, { start, end }, etag)
  if (!block) throw noLonger()
  const content = Buffer.allocUnsafe(end - start)
  let at = 0
  for await (const chunk of block.body as AsyncIterable<Uint8Array>) {
    if (at + chunk.byteLength <= content.length) content.set(chunk, at)
    at += chunk.byteLength
  }
  if (at !== content.length) throw new StorageError('replaced', 'The file was replaced while it was read.')
  return content
}
