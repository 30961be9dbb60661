import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Db } from '../db/database.js'
import { keepFirstRecord, readRecord } from '../db/records.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { hasAny } from '../storage/merged-lists.js'
import type { Storage } from '../storage/storage.js'
import { asideFolder, filmsFolder, idsIn, picturesFolder } from './folders.js'
import { mediaStatusOf } from './known-media.js'

/**
 * How a database and a media storage are related. `ours`: both have the same id. `other`: they have different
 * ids. `unproven`: one has no id, and their films do not show that they belong together. `empty`: like
 * `unproven`, but the database is new.
 */
export type Pairing = 'ours' | 'other' | 'unproven' | 'empty'

export const idKey = 'installation.json'
const sampleSize = 100

/** Compares the ids of database and storage. Gives an id to the side without one if that is safe. */
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

/** The same, but changes nothing and does not compare films. */
export async function readPairing(db: Db, storage: Storage): Promise<'ours' | 'other' | 'unproven'> {
  const [known, stored] = await Promise.all([databaseId(db), storageId(storage)])
  if (known === undefined || stored === undefined) return 'unproven'
  return known === stored ? 'ours' : 'other'
}

/** Makes the storage belong to the database, whatever its id was. */
export async function adopt(db: Db, storage: Storage): Promise<void> {
  await writeIds(db, storage, (await databaseId(db)) ?? randomUUID())
}

const databaseId = (db: Db): Promise<string | undefined> => readRecord(db, 'id')

async function storageId(storage: Storage): Promise<string | undefined> {
  const object = await storage.read(idKey)
  if (!object) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of object.body as AsyncIterable<Buffer>) chunks.push(chunk)
  try {
    return String((JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown }).id)
  } catch {
    // The file exists but is not ours: the storage belonged to someone, so it does not count as new.
    return 'unreadable'
  }
}

/** The database decides: two servers that start at once both write the id the database kept. */
async function writeIds(db: Db, storage: Storage, id: string): Promise<void> {
  const kept = await keepFirstRecord(db, 'id', id)
  const text = JSON.stringify({ id: kept, about: whatItIs }, null, 2)
  await storage.put(idKey, Readable.from([Buffer.from(`${text}\n`)]))
}

const whatItIs =
  'Says which installation of Zoetrope these files belong to. Its database has the same id. Back it up with them.'

export async function holdsFilms(storage: Storage): Promise<boolean> {
  for (const folder of [filmsFolder, picturesFolder, asideFolder])
    if (await hasAny(storage, folder)) return true
  return false
}

async function isNew(db: Db): Promise<boolean> {
  const rows =
    await db`select from installation where name = 'set_up' union all (select from channels limit 1)`
  return rows.length === 0
}

/**
 * Whether most sampled films of each side exist on the other. Ids are random, so a match is no coincidence.
 */
async function fits(db: Db, storage: Storage): Promise<boolean> {
  const rows = await db<{ _id: string }[]>`select _id from sources order by random() limit ${sampleSize}`
  let found = 0
  for (const { _id } of rows) if (await storage.stat(sourceKey(_id))) found += 1
  if (found === 0 || found < rows.length / 2) return false
  for await (const page of idsIn(storage, filmsFolder)) {
    const ids = page.slice(0, sampleSize)
    const { known, ended } = await mediaStatusOf(db, ids)
    return ids.filter((id) => known.has(id) || ended.has(id)).length >= ids.length / 2
  }
  return true
}
