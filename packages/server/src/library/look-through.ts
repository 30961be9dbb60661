import type { Db } from '../db/database.js'
import { hasAny } from '../storage/merged-lists.js'
import type { Storage } from '../storage/storage.js'
import { allFolders, filmsFolder, idsIn, picturesFolder } from './folders.js'
import { mediaStatusOf } from './known-media.js'

/** An object in the storage without a row. A segment can be made again from its film. */
export interface UnknownMedia {
  readonly _id: string
  readonly kind: 'film' | 'image' | 'piece'
  readonly isEnded: boolean
}

/**
 * Reads the storage page by page and reports each id without a row once. Objects younger than `youngestMs`
 * are left out, because their row may be being written. Returns the number of films.
 */
export async function lookThrough(
  db: Db,
  storage: Storage,
  youngestMs: number,
  visit: (unknown: readonly UnknownMedia[]) => Promise<void>,
): Promise<number> {
  let films = 0
  for (const folder of allFolders)
    for await (const ids of idsIn(storage, folder)) {
      if (folder === filmsFolder) films += ids.length
      const unknown = await unknownAmong(db, storage, folder, ids, youngestMs)
      if (unknown.length > 0) await visit(unknown)
    }
  return films
}

async function unknownAmong(
  db: Db,
  storage: Storage,
  folder: string,
  ids: readonly string[],
  youngestMs: number,
): Promise<readonly UnknownMedia[]> {
  const { known, ended, marked } = await mediaStatusOf(db, ids)
  const isSettled = async (_id: string) =>
    ended.has(_id) || marked.has(_id) || (await isOld(storage, _id, youngestMs))
  const unknown: UnknownMedia[] = []
  for (const _id of ids) {
    if (known.has(_id) || (await wasSeen(storage, _id, folder)) || !(await isSettled(_id))) continue
    unknown.push({ _id, kind: kinds[folder] ?? 'piece', isEnded: ended.has(_id) })
  }
  return unknown
}

const kinds: Readonly<Record<string, UnknownMedia['kind']>> = {
  [filmsFolder]: 'film',
  [picturesFolder]: 'image',
}

/** Whether an earlier folder also has this id. */
async function wasSeen(storage: Storage, _id: string, folder: string): Promise<boolean> {
  for (const earlier of allFolders.slice(0, allFolders.indexOf(folder)))
    if (await hasAny(storage, `${earlier}/${_id}`)) return true
  return false
}

async function isOld(storage: Storage, _id: string, youngestMs: number): Promise<boolean> {
  for (const folder of allFolders)
    for await (const { modifiedAt } of storage.list(`${folder}/${_id}`))
      if (Date.now() - modifiedAt.getTime() < youngestMs) return false
  return true
}
