import type { ListedObject, Storage } from './storage.js'

interface BothPlaces {
  readonly to: Storage
  readonly from: Storage
}

/** Where the old place keeps what was moved, for a day. It is no longer part of the library. */
export const movedFolder = 'moved'
const isMoved = (key: string) => key.startsWith(`${movedFolder}/`)

const chunkSize = 200

/**
 * The objects of both places in the order of their keys; of those in both, the one in the new place. Some keys are read
 * from the old place, and only then the same range from the new one: an object that the move takes from one to the other
 * meanwhile is never missed.
 */
export async function* mergedList(
  { to, from }: BothPlaces,
  prefix: string,
  { after = '', limit = Number.POSITIVE_INFINITY }: { after?: string; limit?: number } = {},
): AsyncGenerator<ListedObject> {
  const old = from.list(prefix, { after })[Symbol.asyncIterator]()
  let listed = 0
  let last = after
  try {
    for (let isOver = limit < 1; !isOver; ) {
      const chunk = await take(old, Math.min(chunkSize, limit - listed))
      const end = chunk.at(-1)?.key
      isOver = end === undefined
      for await (const object of mergedRange(to, prefix, last, chunk)) {
        yield object
        listed += 1
        if (listed >= limit) return
      }
      last = end ?? last
    }
  } finally {
    await old.return?.()
  }
}

async function take(objects: AsyncIterator<ListedObject>, count: number): Promise<ListedObject[]> {
  const taken: ListedObject[] = []
  while (taken.length < count) {
    const next = await objects.next()
    if (next.done) break
    if (!isMoved(next.value.key)) taken.push(next.value)
  }
  return taken
}

/** The objects from `after` up to the last of the old ones, or to the end if there are no more old ones. */
async function* mergedRange(
  to: Storage,
  prefix: string,
  after: string,
  old: readonly ListedObject[],
): AsyncGenerator<ListedObject> {
  const end = old.at(-1)?.key
  let next = 0
  for await (const object of to.list(prefix, { after })) {
    if (end !== undefined && object.key > end) break
    for (; next < old.length && (old[next]?.key ?? '') < object.key; next += 1)
      yield old[next] as ListedObject
    if (old[next]?.key === object.key) next += 1
    yield object
  }
  yield* old.slice(next)
}

/** First those of the old place, because objects only ever leave it. */
export async function* mergedNames({ to, from }: BothPlaces, prefix: string): AsyncGenerator<string> {
  yield* from.names(prefix)
  for await (const name of to.names(prefix))
    if (!(await from.stat(`${prefix}/${name}`)) && !(await hasAny(from, `${prefix}/${name}`))) yield name
}

/** Whether there is an object under the prefix. */
export async function hasAny(place: Storage, prefix: string): Promise<boolean> {
  for await (const _name of place.names(prefix)) return true
  return false
}

export async function* mergedUploads({ to, from }: BothPlaces): AsyncGenerator<{
  key: string
  modifiedAt: Date
}> {
  yield* to.listUploads()
  for await (const upload of from.listUploads())
    if ((await (await to.openUpload(upload.key)).offset()) === 0) yield upload
}
