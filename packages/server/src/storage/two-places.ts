import { type KeyLock, locked, lockedAtEnd } from './key-lock.js'
import { hasAny, mergedList, mergedNames, mergedUploads } from './merged-lists.js'
import type { ByteRange, ObjectParts, Storage, Upload } from './storage.js'
import { hasReason, StorageError } from './storage-error.js'

/** A storage that films move to, and the one where some of them still are. */
export interface TwoPlaces {
  readonly to: Storage
  readonly from: Storage
  /** Keeps the move and everyone else from changing one object at the same time. */
  readonly lock: KeyLock
}

export interface OpenedPlace {
  readonly name: string
  readonly storage: Storage
}

/** The storage of the films, which is in two places while they move. */
export interface OpenedPlaces {
  /** Both as one. */
  readonly storage: Storage
  readonly current: OpenedPlace
  readonly old: OpenedPlace | undefined
  readonly moving: TwoPlaces | undefined
}

/** Each place by itself. */
export const storagesIn = ({ current, old }: Pick<OpenedPlaces, 'current' | 'old'>): readonly Storage[] => [
  current.storage,
  ...(old ? [old.storage] : []),
]

/**
 * Both as one storage. Everything is written to the new place. An object in both counts as the one in the new place. The
 * move copies an object first and then takes the original away, so readers look in the new place, in the old one, and in
 * the new one again.
 *
 * The move publishes a copy only while the original exists, and with the lock. So the lock is needed only for changes of
 * objects that are in the old place, and new objects cost no more than a look there.
 */
export function openTwoPlaces(places: TwoPlaces): Storage {
  const { to, from, lock } = places
  const either = async <T>(find: (place: Storage) => Promise<T | undefined>) =>
    (await find(to).catch((error: unknown) => unlessAway(error, () => find(from)))) ??
    (await find(from)) ??
    (await find(to))
  return {
    async put(key, body, limits) {
      if (!(await from.stat(key))) return to.put(key, body, limits)
      return lockedAtEnd(lock, key, body, async (guarded) => {
        const written = await to.put(key, guarded, limits)
        await from.remove(key)
        return written
      })
    },
    async putFile(key, path) {
      if (!(await from.stat(key))) return to.putFile(key, path)
      return locked(lock, [key], async () => {
        const written = await to.putFile(key, path)
        await from.remove(key)
        return written
      })
    },
    stat: (key) => either((place) => place.stat(key)),
    read: (key, range) => either((place) => place.read(key, range)),
    readOften: (key) => either((place) => place.readOften(key)),
    direct: (key, options) => to.direct(key, options),
    move: (key, target) => move(places, key, target),
    async remove(key) {
      if (!(await from.stat(key))) return to.remove(key)
      // The old one first: if this process is killed in between, no earlier version comes back.
      await locked(lock, [key], async () => {
        await from.remove(key)
        await to.remove(key)
      })
    },
    async removeUnder(prefix) {
      if (!(await hasAny(from, prefix))) return to.removeUnder(prefix)
      return locked(lock, [prefix], async () => {
        let objects = 0
        for await (const _object of mergedList(places, prefix)) objects += 1
        await from.removeUnder(prefix)
        await to.removeUnder(prefix)
        return objects
      })
    },
    list: (prefix, options) => mergedList(places, prefix, options),
    names: (prefix) => mergedNames(places, prefix),
    withLocalFile: (key, use) => withLocalFile(places, key, use),
    openParts: (key) => openParts(places, key),
    withScratch: (use) => to.withScratch(use),
    openUpload: (key): Promise<Upload> => openUploadInEither(places, key),
    listUploads: () => mergedUploads(places),
    sweep: async () => (await from.sweep()) + (await to.sweep()),
    folder: to.folder,
    freeBytes: () => to.freeBytes(),
  }
}

/** What has not moved yet can be read while the new place is away. */
async function unlessAway<T>(error: unknown, findInOld: () => Promise<T | undefined>): Promise<T> {
  const found = hasReason(error, 'away') ? await findInOld() : undefined
  if (found === undefined) throw error
  return found
}

async function move({ to, from, lock }: TwoPlaces, key: string, target: string): Promise<boolean> {
  if (!(await from.stat(key)) && !(await from.stat(target))) return to.move(key, target)
  return locked(lock, [key, target], async () => {
    if (await to.stat(key)) {
      await from.remove(key)
      const isMoved = await to.move(key, target)
      if (isMoved) await from.remove(target)
      return isMoved
    }
    if (!(await from.stat(key))) return false
    // What is at the target in the new place would hide the object.
    await to.remove(target)
    return from.move(key, target)
  })
}

async function withLocalFile<T>(
  { to, from }: TwoPlaces,
  key: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  let isUsed = false
  const useOnce = (path: string) => {
    isUsed = true
    return use(path)
  }
  for (const place of [to, from])
    try {
      return await place.withLocalFile(key, useOnce)
    } catch (error) {
      if (isUsed || !hasReason(error, 'missing', ...(place === to ? (['away'] as const) : []))) throw error
    }
  return to.withLocalFile(key, useOnce)
}

/** Where an object is read: the old place if the new one has it not, or is away. */
async function placeOf({ to, from }: Pick<TwoPlaces, 'to' | 'from'>, key: string): Promise<Storage> {
  try {
    return (await to.stat(key)) ? to : from
  } catch (error) {
    await unlessAway(error, () => from.stat(key))
    return from
  }
}

async function openParts({ to, from }: TwoPlaces, key: string): Promise<ObjectParts | undefined> {
  const first = await placeOf({ to, from }, key)
  const parts = await first.openParts(key).catch((error: unknown) => {
    if (first === from && hasReason(error, 'missing')) return to.openParts(key)
    throw error
  })
  return parts && { size: parts.size, read: (range) => readOn(to, key, parts, range) }
}

/** If the move takes the object away while it is read, the rest is read in the new place. */
async function* readOn(
  to: Storage,
  key: string,
  { size, read }: ObjectParts,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let at = start
  try {
    for await (const chunk of read({ start, end })) {
      at += chunk.byteLength
      yield chunk
    }
    return
  } catch (error) {
    if (!hasReason(error, 'missing') || (await to.stat(key))?.size !== size) throw error
  }
  const rest = await to.read(key, { start: at, end })
  if (!rest) throw new StorageError('missing', 'The file is no longer in the media storage.')
  yield* rest.body as AsyncIterable<Uint8Array>
}

/**
 * An upload begun in the old place is continued and finished there; the move then treats it like any other object. All
 * others begin in the new place.
 */
async function openUploadInEither(
  { to, from }: { readonly to: Storage; readonly from: Storage },
  key: string,
): Promise<Upload> {
  const [inNew, inOld] = [await to.openUpload(key), await from.openUpload(key)]
  const begun = async () => ((await inNew.offset()) === 0 && (await inOld.offset()) > 0 ? inOld : inNew)
  return {
    offset: async () => (await begun()).offset(),
    append: async (body, atOffset, options) => (await begun()).append(body, atOffset, options),
    async finish(size) {
      const upload = await begun()
      try {
        return await upload.finish(size)
      } catch (error) {
        // Finished before, in the old place, and perhaps still there.
        if (upload === inNew && hasReason(error, 'missing')) return inOld.finish(size)
        // Finished before in the old place, but not noted, and moved since.
        const mayBeMoved = upload === inOld && hasReason(error, 'missing', 'broken')
        if (!mayBeMoved || !(await to.stat(key))) throw error
        await inOld.abort()
        return inNew.finish(size)
      }
    },
    async abort() {
      await inOld.abort()
      await inNew.abort()
    },
  }
}
