import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Db } from '../db/database.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import type { Storage } from '../storage/storage.js'
import { standingsOf } from './known-media.js'
import { asideFolder, filmsFolder, hasObjects, idsIn, picturesFolder } from './places.js'

/**
 * How a database and a media storage belong together. `ours`: both have the same id. `other`: they have different ones.
 * `unproven`: one of them has none, and their films do not show that they belong together. `empty`: the same, and the
 * database was made just now.
 */
export type Pairing = 'ours' | 'other' | 'unproven' | 'empty'

const idKey = 'installation.json'
const sampleSize = 100

/** Compares the ids of database and storage. A side without an id gets one, if that is safe. */
export async function pair(db: Db, storage: Storage): Promise<Pairing> {
  const [known, stored] = await Promise.all([databaseId(db), storageId(storage)])
  if (known !== undefined && stored !== undefined) return known === stored ? 'ours' : 'other'
  if (!(await holdsFilms(storage))) {
    await writeIds(db, storage, known ?? randomUUID())
    return 'ours'
  }
  if (await isNew(db)) return 'empty'
  if (!(await fits(db, storage))) return 'unproven'
  await writeIds(db, storage, known ?? stored ?? randomUUID())
  return 'ours'
}

/** The same without changing anything, and without a look at films. */
export async function readPairing(db: Db, storage: Storage): Promise<'ours' | 'other' | 'unproven'> {
  const [known, stored] = await Promise.all([databaseId(db), storageId(storage)])
  if (known === undefined || stored === undefined) return 'unproven'
  return known === stored ? 'ours' : 'other'
}

/** Makes the storage the database's, whatever it was. */
export async function adopt(db: Db, storage: Storage): Promise<void> {
  await writeIds(db, storage, (await databaseId(db)) ?? randomUUID())
}

async function databaseId(db: Db): Promise<string | undefined> {
  const [row] = await db<{ value: string }[]>`select value from installation where name = 'id'`
  return row?.value
}

async function storageId(storage: Storage): Promise<string | undefined> {
  const object = await storage.read(idKey)
  if (!object) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of object.body as AsyncIterable<Buffer>) chunks.push(chunk)
  try {
    return String((JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown }).id)
  } catch {
    // Somebody wrote something else there. It is not nothing: the storage was somebody's.
    return 'unreadable'
  }
}

/** The database has the last word: of two servers that start at once, both write the id that it keeps. */
async function writeIds(db: Db, storage: Storage, id: string): Promise<void> {
  await db`insert into installation (name, value) values ('id', ${id}) on conflict (name) do nothing`
  const text = JSON.stringify({ id: await databaseId(db), about: whatItIs }, null, 2)
  await storage.put(idKey, Readable.from([Buffer.from(`${text}\n`)]))
}

const whatItIs =
  'Says which installation of Zoetrope these files belong to. Its database has the same id. Back it up with them.'

async function holdsFilms(storage: Storage): Promise<boolean> {
  for (const folder of [filmsFolder, picturesFolder, asideFolder])
    if (await hasObjects(storage, folder)) return true
  return false
}

async function isNew(db: Db): Promise<boolean> {
  const rows =
    await db`select from installation where name = 'set_up' union all (select from channels limit 1)`
  return rows.length === 0
}

/** Whether most films of the one are in the other, both ways, by a sample: ids are random, so that is no accident. */
async function fits(db: Db, storage: Storage): Promise<boolean> {
  const rows = await db<{ _id: string }[]>`select _id from sources order by random() limit ${sampleSize}`
  let found = 0
  for (const { _id } of rows) if (await storage.stat(sourceKey(_id))) found += 1
  if (found === 0 || found < rows.length / 2) return false
  for await (const page of idsIn(storage, filmsFolder)) {
    const ids = page.slice(0, sampleSize)
    const { known, ended } = await standingsOf(db, ids)
    return ids.filter((id) => known.has(id) || ended.has(id)).length >= ids.length / 2
  }
  return true
}
