import { createHash } from 'node:crypto'
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  statfs,
  unlink,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { type Aside, openAside, withScratch } from './aside.js'
import { limited } from './bytes.js'
import {
  fileAt,
  openToRead,
  ours,
  prune,
  publishFile,
  realPlace,
  syncFolder,
  withFile,
  writeAt,
} from './disk.js'
import { createFileUploads } from './file-upload.js'
import { checkKey } from './keys.js'
import type { ByteRange, Digested, OpenedObject, Storage, WriteLimits } from './storage.js'
import { codeOf, ifMissing, plainly, StorageError } from './storage-error.js'
import { walk, walkNames } from './walk.js'

interface StorageFolders {
  readonly objects: string
  readonly aside: Aside
}

/**
 * Files in a folder on a local or shared disk. `objects/` has them by key, `uploads/` those that grow,
 * `aside/` the unfinished files of each process. All are on one disk, so that a rename publishes atomically.
 */
export async function openFileStorage(root: string): Promise<Storage> {
  await mkdir(root, { recursive: true, mode: ours.folder })
  const top = await realpath(root)
  const [objects, uploads, unfinished] = ['objects', 'uploads', 'aside'].map((name) => join(top, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [objects, uploads, unfinished])
    await mkdir(folder, { recursive: true, mode: ours.folder })
  await syncFolder(top)
  const folders: StorageFolders = { objects, aside: await openAside(unfinished) }
  const fileUploads = createFileUploads({ objects, uploads })
  return {
    put: (key, body, limits = {}) => plainly(() => put(folders, key, body, limits)),
    putFile: (key, path) => plainly(() => putFile(folders, key, path)),
    stat: (key) => plainly(() => stat(folders, key)),
    direct: async () => undefined,
    read: (key, range) => plainly(() => read(folders, key, range)),
    readOften: (key) => plainly(() => read(folders, key)),
    move: (from, to) => plainly(() => move(folders, from, to)),
    remove: (key) => plainly(() => remove(folders, key)),
    removeUnder: (prefix) => plainly(() => removeUnder(folders, prefix)),
    list: (prefix, options) => list(folders, prefix, options),
    names: (prefix) => names(folders, prefix),
    withLocalFile: (key, use) => withLocalFile(folders, key, use),
    openParts: async () => undefined,
    withScratch: (use) => withScratch(folders.aside, use),
    openUpload: async (key) => fileUploads.open(checkKey(key)),
    listUploads: () => fileUploads.list(),
    sweep: () => plainly(() => folders.aside.sweep()),
    folder: top,
    async freeBytes() {
      const { bavail, bsize } = await statfs(top)
      return bavail * bsize
    },
  }
}

const objectPath = ({ objects }: StorageFolders, key: string) => join(objects, checkKey(key))

async function put(
  folders: StorageFolders,
  key: string,
  body: AsyncIterable<Uint8Array>,
  limits: WriteLimits,
): Promise<Digested> {
  const target = objectPath(folders, key)
  const path = await folders.aside.path()
  try {
    const written = await withFile(await open(path, 'wx', ours.file), (file) =>
      writeAll(file, limited(body, limits)),
    )
    await publishFile(path, target)
    return written
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Flushed along the way, so that finishing a large file does not wait for all of it. */
const flushBytes = 16 * 1_048_576

async function writeAll(file: FileHandle, body: AsyncIterable<Uint8Array>): Promise<Digested> {
  const hash = createHash('sha256')
  let size = 0
  let flushed = 0
  for await (const chunk of body) {
    await writeAt(file, chunk, size)
    hash.update(chunk)
    size += chunk.byteLength
    if (size - flushed < flushBytes) continue
    await file.datasync()
    flushed = size
  }
  await file.sync()
  return { size, sha256: hash.digest('hex') }
}

async function putFile(folders: StorageFolders, key: string, path: string): Promise<{ size: number }> {
  const target = objectPath(folders, key)
  const size = await withFile(await open(path, openToRead), async (file) => {
    const facts = await file.stat()
    if (!facts.isFile()) throw new StorageError('missing', 'The path to store is not a file.')
    await file.chmod(ours.file)
    await file.sync()
    return facts.size
  })
  const moved = await folders.aside.path()
  try {
    await rename(path, moved)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    return copyFrom(folders, key, path)
  }
  try {
    await publishFile(moved, target)
  } catch (error) {
    await rename(moved, path).catch(() => rm(moved, { force: true }))
    throw error
  }
  return { size }
}

async function copyFrom(folders: StorageFolders, key: string, path: string): Promise<{ size: number }> {
  const source = await open(path, openToRead)
  const { size } = await put(folders, key, source.createReadStream(), {})
  await unlink(path)
  return { size }
}

async function stat(folders: StorageFolders, key: string) {
  const facts = await fileAt(objectPath(folders, key))
  return facts && { size: facts.size, modifiedAt: facts.mtime }
}

async function read(
  folders: StorageFolders,
  key: string,
  range?: ByteRange,
): Promise<OpenedObject | undefined> {
  const path = await realPlace(objectPath(folders, key))
  const file = path && (await open(path, openToRead).catch(ifMissing))
  if (!file) return undefined
  const facts = await file.stat()
  const start = Math.max(range?.start ?? 0, 0)
  const end = Math.min(range?.end ?? facts.size, facts.size)
  if (facts.isFile() && start < end)
    return {
      // This end is inclusive.
      body: file.createReadStream({ start, end: end - 1, highWaterMark: readBytes }),
      size: facts.size,
      modifiedAt: facts.mtime,
    }
  await file.close()
  return facts.isFile() ? { body: Readable.from([]), size: facts.size, modifiedAt: facts.mtime } : undefined
}

const readBytes = 256 * 1024

async function move(folders: StorageFolders, from: string, to: string): Promise<boolean> {
  const [path, target] = [objectPath(folders, from), objectPath(folders, to)]
  if (!(await fileAt(path))) return false
  try {
    await publishFile(path, target)
  } catch (error) {
    // It was moved or deleted in the meantime.
    if (codeOf(error) === 'ENOENT' && !(await fileAt(path))) return false
    throw error
  }
  await syncFolder(dirname(path))
  await prune(dirname(path), folders.objects)
  return true
}

async function remove(folders: StorageFolders, key: string): Promise<void> {
  const path = objectPath(folders, key)
  if (!(await fileAt(path))) return
  await unlink(path).catch(ifMissing)
  await syncFolder(dirname(path))
  await prune(dirname(path), folders.objects)
}

/** One rename hides it; deleting then takes as long as it takes, and a sweep removes what a crash leaves. */
async function removeUnder(folders: StorageFolders, prefix: string): Promise<number> {
  const folder = await realPlace(objectPath(folders, prefix))
  if (!folder || !(await lstat(folder).catch(ifMissing))?.isDirectory()) return 0
  const doomed = await folders.aside.path()
  await rename(folder, doomed).catch(ifMissing)
  await syncFolder(dirname(folder))
  await prune(dirname(folder), folders.objects)
  let removed = 0
  for await (const { key } of walk(doomed, '')) {
    await unlink(join(doomed, key))
    removed += 1
  }
  await rm(doomed, { recursive: true, force: true })
  return removed
}

async function* list(
  folders: StorageFolders,
  prefix: string,
  { after = '', limit = Number.POSITIVE_INFINITY }: { after?: string; limit?: number } = {},
) {
  if (prefix !== '' && !(await realPlace(objectPath(folders, prefix)))) return
  let listed = 0
  if (limit < 1) return
  for await (const object of walk(folders.objects, prefix, after)) {
    yield object
    listed += 1
    if (listed >= limit) return
  }
}

async function* names(folders: StorageFolders, prefix: string) {
  const folder = await realPlace(objectPath(folders, prefix))
  if (folder) yield* walkNames(folder)
}

async function withLocalFile<T>(
  folders: StorageFolders,
  key: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  return withScratch(folders.aside, async (folder) => {
    const path = await plainly(() => linkInto(folder, objectPath(folders, key)))
    return use(path)
  })
}

/** A hard link, which keeps the bytes when the object is replaced or deleted. */
async function linkInto(folder: string, path: string): Promise<string> {
  if (!(await fileAt(path))) throw new StorageError('missing', 'The file is no longer in the media storage.')
  const second = join(folder, basename(path))
  try {
    await link(path, second)
    return second
  } catch (error) {
    // Some file systems have no hard links.
    if (noLinks.has(codeOf(error) ?? '')) return path
    throw error
  }
}

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])
