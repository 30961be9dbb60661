import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath, rename, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, ifMissing, StorageError } from './storage-error.js'

export const openToRead = constants.O_RDONLY | constants.O_NOFOLLOW
export const ours = { file: 0o600, folder: 0o700 } as const

/** A created or renamed file survives a power failure only once its folder is flushed. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY).catch(ifMissing)
  if (!handle) return
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The path if it exists, else `undefined`; throws if a symbolic link leads elsewhere. */
export async function realPlace(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(ifMissing)
  if (real !== undefined && real !== path)
    throw new StorageError(
      'broken',
      'There is a symbolic link in the media storage, where none belongs. Remove it.',
    )
  return real
}

/** The facts of the file at this path, if it exists. */
export async function fileAt(path: string): Promise<Stats | undefined> {
  if (!(await realPlace(path))) return undefined
  const facts = await lstat(path).catch(ifMissing)
  return facts?.isFile() ? facts : undefined
}

/** Creates the folder and its missing parents, and flushes them. */
export async function ensureFolder(folder: string): Promise<void> {
  if (await realPlace(folder)) return
  await ensureFolder(dirname(folder))
  await mkdir(folder, { mode: ours.folder }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await syncFolder(dirname(folder))
  if (!(await realPlace(folder)))
    throw Object.assign(new Error('The folder is gone again.'), { code: 'ENOENT' })
}

const mostTries = 50

/** Makes a finished file the object at `target`, atomically: readers see the old one or the new one. */
export async function publishFile(finished: string, target: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await ensureFolder(dirname(target))
      await rename(finished, target)
      return await syncFolder(dirname(target))
    } catch (error) {
      // The last object beside it was deleted, and the empty folder with it.
      if (codeOf(error) !== 'ENOENT' || tries === mostTries || !(await realPlace(finished))) throw error
    }
  }
}

/** Deletes empty folders, up to but not including `top`. */
export async function prune(folder: string, top: string): Promise<void> {
  for (let empty = folder; empty.startsWith(`${top}/`); empty = dirname(empty)) {
    try {
      await rmdir(empty)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') continue
      return
    }
  }
}

/** Passes the file to `use` and closes it in any case. */
export async function withFile<T>(file: FileHandle, use: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** Writes all bytes at this position. */
export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done)
    done += bytesWritten
  }
}
