import { type FileHandle, link, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Aside } from '../aside.js'
import { ours, withFile, writeAt } from '../disk.js'
import { hasReason, StorageError } from '../storage-error.js'
import type { S3Bucket } from './bucket.js'
import { headObject, readObject, type S3Facts } from './read-object.js'

const blockBytes = 8 * 1_048_576
const blocksAtOnce = 4
/** How often a file may be replaced while it is fetched. */
const mostVersions = 5

interface LocalCopy {
  readonly path: string
  readonly size: number
  readonly ready: Promise<void>
  users: number
}

/** Copies of objects on the local disk, shared by all who need the same version, and kept while there is room. */
export interface LocalCopies {
  /** Puts a link to the copy into the folder, and returns its path. */
  linkInto(folder: string, key: string): Promise<string>
}

export function createLocalCopies(bucket: S3Bucket, aside: Aside, mostBytes: number): LocalCopies {
  // The copies used last are at the end.
  const copies = new Map<string, LocalCopy>()

  async function makeRoom(bytes: number): Promise<void> {
    let kept = [...copies.values()].reduce((sum, { size }) => sum + size, 0)
    for (const [id, copy] of [...copies]) {
      if (kept + bytes <= mostBytes) return
      if (copy.users > 0) continue
      copies.delete(id)
      kept -= copy.size
      await rm(copy.path, { force: true })
    }
  }

  async function fetchCopy(key: string, id: string, facts: S3Facts): Promise<LocalCopy> {
    await makeRoom(facts.size)
    const path = await aside.path()
    const ready = download(bucket, key, facts, path)
    const copy = { path, size: facts.size, ready, users: 0 }
    copies.set(id, copy)
    ready.catch(() => {
      copies.delete(id)
      return rm(path, { force: true })
    })
    return copy
  }

  const fetching = new Map<string, Promise<LocalCopy>>()

  async function copyOf(key: string): Promise<[string, LocalCopy]> {
    const facts = await headObject(bucket, key)
    if (!facts) throw new StorageError('missing', 'The file is no longer in the media storage.')
    const id = `${key} ${facts.etag} ${facts.size}`
    const known = copies.get(id) ?? (await fetching.get(id))
    if (known) return [id, known]
    const begun = fetchCopy(key, id, facts).finally(() => fetching.delete(id))
    fetching.set(id, begun)
    return [id, await begun]
  }

  return {
    async linkInto(folder, key) {
      const path = join(folder, basename(key))
      for (let tries = 1; ; tries += 1) {
        try {
          await linkCopy(key, path)
          return path
        } catch (error) {
          if (!hasReason(error, 'replaced') || tries === mostVersions) throw error
        }
      }
    },
  }

  async function linkCopy(key: string, path: string): Promise<void> {
    const [id, copy] = await copyOf(key)
    copy.users += 1
    try {
      await copy.ready
      copies.delete(id)
      copies.set(id, copy)
      await link(copy.path, path)
    } finally {
      copy.users -= 1
      // A file larger than the cache is kept by its links only.
      if (copy.size > mostBytes) await makeRoom(0)
    }
  }
}

async function download(bucket: S3Bucket, key: string, facts: S3Facts, path: string): Promise<void> {
  await withFile(await open(path, 'wx', ours.file), async (file) => {
    let next = 0
    const fetchBlocks = async () => {
      while (next < facts.size) {
        const start = next
        next += blockBytes
        await fetchBlock(bucket, key, facts, file, start)
      }
    }
    await Promise.all(Array.from({ length: blocksAtOnce }, fetchBlocks))
  })
}

async function fetchBlock(
  bucket: S3Bucket,
  key: string,
  { size, etag }: S3Facts,
  file: FileHandle,
  start: number,
): Promise<void> {
  const end = Math.min(start + blockBytes, size)
  const block = await readObject(bucket, key, { start, end }, etag)
  if (!block) throw new StorageError('missing', 'The file is no longer in the media storage.')
  let at = start
  for await (const chunk of block.body as AsyncIterable<Uint8Array>) {
    await writeAt(file, chunk, at)
    at += chunk.byteLength
  }
  if (at !== end) throw new StorageError('replaced', 'The file was replaced while it was read.')
}
