import type { Db } from '../db/database.js'
import { dropRecord, keepRecord, readRecord } from '../db/records.js'
import { within } from '../lib/deadline.js'
import type { StoreTrouble } from '../media-segments/media-parts.js'
import type { LibraryLease, Storage } from '../storage/storage.js'
import { hasReason, StorageError } from '../storage/storage-error.js'
import { type OpenedPlaces, storagesIn } from '../storage/two-places.js'
import { clockTrouble } from './deletion-clock.js'
import { checkLease, leaseTrouble } from './lease.js'
import { readPairing } from './owner.js'

const remedy =
  'Probably DATABASE_URL, DATA_DIR or STORAGE_URL points to the wrong place: correct it and start again. If the two do belong together, run `zoetrope adopt`.'

const sentences = {
  ours: undefined,
  other: `The media storage belongs to another installation than the database, so nothing is removed from it. ${remedy}`,
  unproven: `Nothing shows that the films in the media storage are those of the database, so nothing is removed from it. ${remedy}`,
}

const note = 'sweep_waits'

/** Stores why the sweep waits for the operator, or clears it. */
export async function noteWaiting(db: Db, why: string | undefined): Promise<void> {
  if (why === undefined) await dropRecord(db, note)
  else await keepRecord(db, note, why)
}

/** Why nothing may be deleted from the storage, or from one of the two places that it is in. */
export async function pairingTrouble(db: Db, places: readonly Storage[]): Promise<string | undefined> {
  for (const place of places) {
    const trouble = sentences[await readPairing(db, place)]
    if (trouble) return trouble
  }
  return undefined
}

/** The same, or why another installation may be using the storage. Looks into it, so that the answer is of this moment. */
export async function libraryTrouble(
  db: Db,
  places: OpenedPlaces,
  lease?: LibraryLease,
): Promise<string | undefined> {
  const trouble = await pairingTrouble(db, storagesIn(places))
  if (trouble) return trouble
  if (lease) return lease.check()
  await checkLease(db, places.current.storage)
  return leaseTrouble(db)
}

/**
 * Why nothing is deleted from the storage: because it must not be, or because the operator has to confirm.
 */
async function sweepTrouble(db: Db, places: readonly Storage[]): Promise<string | undefined> {
  const trouble =
    (await pairingTrouble(db, places)) ?? (await leaseTrouble(db)) ?? (await readRecord(db, note))
  return trouble ?? clockTrouble(db)
}

const freshMs = 5000
/** Pages that show the state of the storage wait no longer for it. */
const patienceMs = 5000

export const storageAway =
  'The media storage cannot be reached for the moment; the log says why. Films that need it do not play, uploads wait, and everything goes on by itself when it is back.'

/** The same, or that the storage does not answer. */
async function storageTrouble(db: Db, places: readonly Storage[]): Promise<string | undefined> {
  try {
    return await within(patienceMs, sweepTrouble(db, places), () => new StorageError('away', storageAway))
  } catch (error) {
    if (hasReason(error, 'away')) return storageAway
    throw error
  }
}

/** Checks when asked; the last result is available without waiting. */
export async function watchTrouble(db: Db, places: readonly Storage[]): Promise<StoreTrouble> {
  let seen = await storageTrouble(db, places)
  let lookedAt = Date.now()
  const look = async () => {
    lookedAt = Date.now()
    seen = await storageTrouble(db, places)
    return seen
  }
  return {
    look,
    seen() {
      // An unreachable database is reported where it is used.
      if (Date.now() - lookedAt > freshMs) look().catch(() => {})
      return seen
    },
  }
}
