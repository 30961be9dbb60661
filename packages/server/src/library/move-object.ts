import { digestOf, limited } from '../storage/bytes.js'
import { locked, lockedAtEnd } from '../storage/key-lock.js'
import { movedFolder } from '../storage/merged-lists.js'
import type { Digested, ObjectFacts, Storage } from '../storage/storage.js'
import { StorageError } from '../storage/storage-error.js'
import type { TwoPlaces } from '../storage/two-places.js'
import { filmIn } from './contents.js'

/** Days for which a moved object stays in the old place; longer if the new place had another version of it. */
export const movedDays = 1
const differentDays = 7

const dayMs = 24 * 3_600_000
/** Originals wait under the last day on which they are kept. */
export const movedUntil = (days: number) =>
  `${movedFolder}/${new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)}`

export interface MoveOptions {
  /** Slows a body down to the allowed rate. */
  readonly pace?: (body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
  readonly signal?: AbortSignal
  /** The digest that the database has for an object. It decides which of two versions is right. */
  readonly expected?: (key: string) => Promise<string | undefined>
}

/** Someone else changed the object while it was copied. */
class Overtaken extends Error {}

const mostTries = 5

/**
 * Copies an object to the new place, compares what can be read there with the original, and takes the original away.
 * May be stopped anywhere and begun again. Returns the size; undefined if the object no longer exists.
 */
export async function moveObject(
  places: TwoPlaces,
  key: string,
  options: MoveOptions = {},
): Promise<number | undefined> {
  for (let tries = 1; ; tries += 1)
    try {
      return await moveOnce(places, key, options)
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
      if (tries === mostTries)
        throw new StorageError('broken', 'It was changed again and again while it was copied.')
    }
}

async function moveOnce(places: TwoPlaces, key: string, options: MoveOptions): Promise<number | undefined> {
  const { to, from } = places
  const original = await from.stat(key)
  if (!original || (await isBeingFinished(from, key))) return undefined
  const wasThere = (await to.stat(key)) !== undefined
  const sent = wasThere ? await digestIn(from, key, options) : await copy(places, key, options, false)
  const arrived = await digestIn(to, key, options)
  if (isSame(sent, arrived)) return takeAway(places, key, original, arrived, movedDays)
  if (wasThere) return settle(places, key, original, sent, arrived, options)
  await locked(places.lock, [key], async () => {
    // Everyone who replaces or removes the object takes the original away.
    if (!hasFacts(await from.stat(key), original)) throw new Overtaken()
    await to.remove(key)
  })
  throw new StorageError(
    'broken',
    'The new place returned other bytes than were written to it. The original stays where it is.',
  )
}

/** Whether an upload has become this object, but the process that finished it has not noted that yet. */
const isBeingFinished = async (from: Storage, key: string): Promise<boolean> =>
  filmIn(key) !== undefined && (await (await from.openUpload(key)).offset()) > 0

/** The new place already had another version. The digest in the database decides; without one, the newer counts. */
async function settle(
  places: TwoPlaces,
  key: string,
  original: ObjectFacts,
  sent: Digested,
  arrived: Digested,
  options: MoveOptions,
): Promise<number> {
  const expected = await options.expected?.(key)
  if (expected === undefined || arrived.sha256 === expected || sent.sha256 !== expected)
    return takeAway(places, key, original, arrived, differentDays)
  const copied = await copy(places, key, options, true)
  const replaced = await digestIn(places.to, key, options)
  if (isSame(copied, replaced)) return takeAway(places, key, original, replaced, movedDays)
  throw new StorageError(
    'broken',
    'The new place has other bytes than the original, which stays where it is.',
  )
}

async function copy(
  { to, from, lock }: TwoPlaces,
  key: string,
  { pace = (body) => body, signal }: MoveOptions,
  mayReplace: boolean,
): Promise<Digested> {
  const opened = await from.read(key)
  if (!opened) throw new Overtaken()
  try {
    return await lockedAtEnd(
      lock,
      key,
      pace(opened.body),
      (body) => to.put(key, body, { size: opened.size, ...(signal ? { signal } : {}) }),
      async () => {
        const isNewer = !mayReplace && (await to.stat(key)) !== undefined
        if (isNewer || !hasFacts(await from.stat(key), opened)) throw new Overtaken()
      },
    )
  } finally {
    opened.body.destroy()
  }
}

/** Nothing is taken away unless the new place still has what was compared. */
async function takeAway(
  { to, from, lock }: TwoPlaces,
  key: string,
  original: ObjectFacts,
  arrived: Digested,
  days: number,
): Promise<number> {
  return locked(lock, [key], async () => {
    if (!hasFacts(await from.stat(key), original)) throw new Overtaken()
    if ((await to.stat(key))?.size !== arrived.size) throw new Overtaken()
    await from.move(key, `${movedUntil(days)}/${key}`)
    return original.size
  })
}

async function digestIn(
  place: Storage,
  key: string,
  { pace = (body) => body, signal }: MoveOptions,
): Promise<Digested> {
  const opened = await place.read(key)
  if (!opened) throw new Overtaken()
  try {
    return await digestOf(limited(pace(opened.body), signal ? { signal } : {}))
  } finally {
    opened.body.destroy()
  }
}

const isSame = (one: Digested, other: Digested) => one.size === other.size && one.sha256 === other.sha256

const hasFacts = (now: ObjectFacts | undefined, then: ObjectFacts) =>
  now !== undefined && now.size === then.size && Number(now.modifiedAt) === Number(then.modifiedAt)
