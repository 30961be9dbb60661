import type { Db } from '../db/database.js'
import type { Storage } from '../storage/storage.js'
import { deletionTime } from './deletion-clock.js'
import { asideFolder, asideOn, filmsFolder, idsIn, keptFolders, segmentsFolder } from './folders.js'
import { mediaStatusOf } from './known-media.js'

/** Days that objects stay set aside, not counting the first. */
export const keptDays = 7

/** Today, in UTC. The clocks of machines may differ, and all of them share the database. */
async function today(db: Db): Promise<string> {
  const [row] = await db<{ day: string }[]>`select to_char(now() at time zone 'utc', 'YYYY-MM-DD') as day`
  return row?.day ?? ''
}

/** Sets aside the film, pictures and files of an id; deletes its segments. */
export async function setAside(db: Db, storage: Storage, _id: string): Promise<void> {
  await db`delete from media_windows where source_id = ${_id}`
  const day = await today(db)
  for (const folder of keptFolders)
    await moveUnder(storage, `${folder}/${_id}`, `${asideOn(day)}/${folder}/${_id}`)
  await storage.removeUnder(`${segmentsFolder}/${_id}`)
}

/** Restores set-aside objects that have a row again; returns their number. */
export async function bringBack(db: Db, storage: Storage): Promise<number> {
  let objects = 0
  for await (const day of daysAside(storage))
    for (const folder of keptFolders)
      for await (const ids of idsIn(storage, `${asideOn(day)}/${folder}`))
        for (const _id of (await mediaStatusOf(db, ids)).known)
          objects += await moveUnder(storage, `${asideOn(day)}/${folder}/${_id}`, `${folder}/${_id}`)
  return objects
}

/** Deletes objects set aside for longer than `keptDays`; returns their number. */
export async function removeAside(db: Db, storage: Storage): Promise<number> {
  const now = await deletionTime(db)
  const oldest = new Date(now.getTime() - keptDays * 24 * 3_600_000).toISOString().slice(0, 10)
  let removed = 0
  for await (const day of daysAside(storage))
    if (day < oldest) removed += await storage.removeUnder(asideOn(day))
  return removed
}

async function* daysAside(storage: Storage): AsyncGenerator<string> {
  for await (const name of storage.names(asideFolder)) if (/^\d{4}-\d{2}-\d{2}$/.test(name)) yield name
}

/** The number of films set aside. */
export async function countAside(storage: Storage): Promise<number> {
  let films = 0
  for await (const day of daysAside(storage))
    for await (const ids of idsIn(storage, `${asideOn(day)}/${filmsFolder}`)) films += ids.length
  return films
}

/** Moves objects to the same names under another prefix, unless one exists there. Returns how many moved. */
async function moveUnder(storage: Storage, from: string, to: string): Promise<number> {
  let moved = 0
  for await (const { key } of storage.list(from)) {
    const target = `${to}${key.slice(from.length)}`
    if (!(await storage.stat(target)) && (await storage.move(key, target))) moved += 1
  }
  return moved
}
