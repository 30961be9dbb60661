import { lstat, opendir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ListedObject } from './storage.js'
import { ifMissing } from './storage-error.js'

/** The files under a folder in byte order of their keys, starting after `after`. */
export async function* walk(top: string, prefix: string, after = ''): AsyncGenerator<ListedObject> {
  for (const name of await namesIn(join(top, prefix))) {
    const key = prefix === '' ? name : `${prefix}/${name}`
    if (name.endsWith('/')) {
      if (mayHoldLater(key, after)) yield* walk(top, key.slice(0, -1), after)
      continue
    }
    if (key <= after) continue
    const facts = await lstat(join(top, key)).catch(ifMissing)
    if (facts?.isFile()) yield { key, size: facts.size, modifiedAt: facts.mtime }
  }
}

/** Folders end in a slash, which sorts them like their keys: `a-b`, `a/b`, `a0`. Links are ignored. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(ifMissing)) ?? []
  return entries
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort((a, b) => (a < b ? -1 : 1))
}

const page = 500

/**
 * The names of files and folders in a folder, in any order. There may be very many, so they are read in
 * pages.
 */
export async function* walkNames(folder: string): AsyncGenerator<string> {
  const directory = await opendir(folder, { bufferSize: page }).catch(ifMissing)
  if (!directory) return
  for await (const entry of directory) if (entry.isDirectory() || entry.isFile()) yield entry.name
}

const mayHoldLater = (folder: string, after: string) => folder > after || after.startsWith(folder)
