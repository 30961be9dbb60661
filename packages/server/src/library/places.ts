import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { StartError } from '../config/config.js'
import type { Database, Db } from '../db/database.js'
import { keepRecord, readRecord } from '../db/records.js'
import { hasAny, movedFolder } from '../storage/merged-lists.js'
import type { Storage } from '../storage/storage.js'
import { type OpenedPlace, type OpenedPlaces, openTwoPlaces } from '../storage/two-places.js'
import { holdsLibrary } from './contents.js'
import { createKeyLocks } from './key-locks.js'
import { pair, readPairing } from './owner.js'

/** A storage as the settings name it. The name has no credentials, and is the same on all machines. */
export interface StoragePlace {
  readonly name: string
  /** Such as “The folder /data/media”. */
  readonly about: string
  readonly open: () => Promise<Storage>
}

export const diskName = 'disk'

/**
 * Opens the storage that the settings name. If films of this installation are still in the former one, both are opened.
 * Refuses to start where films would be missing.
 */
export async function openPlaces(
  database: Database,
  current: StoragePlace,
  former: StoragePlace | undefined,
): Promise<OpenedPlaces> {
  const { db } = database
  const recorded = await placesOf(db)
  const to = await current.open()
  const old = former && (await openFormer(db, former, recorded))
  for (const name of recorded) {
    if (name === current.name || name === old?.name) continue
    if (name !== former?.name) throw new StartError([elsewhere(name, current.name)])
    await forgetPlace(db, name)
  }
  if (!old)
    return { storage: to, current: { name: current.name, storage: to }, old: undefined, moving: undefined }
  if (await areSame(to, old.storage)) throw new StartError([twoNames(current.name, old.name)])
  const moving = { to, from: old.storage, lock: createKeyLocks(database) }
  return { storage: openTwoPlaces(moving), current: { name: current.name, storage: to }, old, moving }
}

/**
 * Whether both are one storage under two names. Moving films between these would take the only copy of each away.
 */
async function areSame(to: Storage, from: Storage): Promise<boolean> {
  const key = `probes/${randomBytes(12).toString('hex')}`
  await to.put(key, Readable.from([Buffer.from('Which storage is this?')]))
  try {
    return (await from.stat(key)) !== undefined
  } finally {
    await to.remove(key)
  }
}

/** The former place if it still has something of this installation. */
async function openFormer(
  db: Db,
  { name, about, open }: StoragePlace,
  recorded: readonly string[],
): Promise<OpenedPlace | undefined> {
  const storage = await open()
  const isInUse = (await holdsLibrary(storage)) || (await hasAny(storage, movedFolder))
  if (isInUse) {
    const pairing = await pair(db, storage)
    if (pairing === 'ours') return { name, storage }
    if (pairing === 'empty') throw new StartError([beginsAnew(about)])
    if (recorded.includes(name)) throw new StartError([notOurs(about)])
    return undefined
  }
  // An empty folder without our id is that of another machine, and the films are not in it.
  if (recorded.includes(name) && (await readPairing(db, storage)) !== 'ours')
    throw new StartError([onAnotherMachine(name)])
  return undefined
}

const recordName = 'film_places'

/** The places that have films of this installation. */
async function placesOf(db: Db): Promise<readonly string[]> {
  const kept = await readRecord(db, recordName)
  if (kept !== undefined) return JSON.parse(kept) as string[]
  const films = await db`select from sources limit 1`
  return films.length > 0 ? [diskName] : []
}

const setPlaces = (db: Db, places: readonly string[]): Promise<void> =>
  keepRecord(db, recordName, JSON.stringify(places))

/** Notes where films are, so that no server starts without these places. */
export async function rememberPlaces(db: Db, { current, old }: OpenedPlaces): Promise<void> {
  // What was moved away and waits in the old place to be deleted is no reason to need it.
  const isNeeded = old !== undefined && (await holdsLibrary(old.storage))
  const names = [...(await placesOf(db)), current.name, ...(isNeeded ? [old.name] : [])]
  await setPlaces(db, [...new Set(names)].sort())
}

/** Notes that a place has no films any more. */
export async function forgetPlace(db: Db, name: string): Promise<void> {
  await setPlaces(
    db,
    (await placesOf(db)).filter((one) => one !== name),
  )
}

/** Notes that all films are in this place, whatever was known before. */
export const keepOnly = (db: Db, name: string): Promise<void> => setPlaces(db, [name])

const elsewhere = (missing: string, current: string) =>
  missing === diskName
    ? `Films of this installation are on the disk, in DATA_DIR, but the settings name only ${current}. Set DATA_DIR to the folder of the films.`
    : `Films of this installation are in ${missing}, but the settings name only the ${current}. Set STORAGE_URL to that address again. To move the films away from it, set STORAGE_OLD_URL to it, start the servers, and run \`zoetrope storage move\`. If the same bucket only has a new name or host, or if the old one is lost for good, run \`zoetrope adopt\`.`

const twoNames = (current: string, old: string) =>
  `${current} and ${old} are the same storage under two names, so there is nothing to move. Remove STORAGE_OLD_URL, and run \`zoetrope adopt\` once if the server then asks for the old name.`

const onAnotherMachine = (name: string) =>
  `Films of this installation are still in another ${name === diskName ? 'folder, on the disk of another machine' : 'storage'}, and this server could not read them. First run \`zoetrope storage move --to s3\` where they are, or set DATA_DIR to a folder that both machines share. If they are lost for good, run \`zoetrope adopt\`.`

const notOurs = (about: string) =>
  `${about} has films that do not belong to this database. Probably DATABASE_URL, DATA_DIR or STORAGE_OLD_URL points to the wrong place: correct it and start again.`

/** To a database without films, every film in the storage would look abandoned. */
export const beginsAnew = (about: string) =>
  `${about} holds films, but the database is new and knows none of them. Probably DATABASE_URL, DATA_DIR or STORAGE_URL points to the wrong place, or a backup of the database is yet to be restored: do that, and start again. To begin anew beside these films on purpose, run \`zoetrope adopt\` once; it removes nothing.`
