import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Storage } from '../../packages/server/src/storage/storage.js'

/** What an object should be now: a digest, or undefined if it was removed. */
interface Tracked {
  digest: string | undefined
  /** Every version it ever had. While it changes, a reader may get any of them. */
  readonly versions: Set<string | undefined>
  /** Odd while it changes. */
  changes: number
}

export interface Watched {
  reads: number
  changes: number
  /** Objects that a reader did not find, found with wrong bytes, or found after they were removed. */
  readonly missing: string[]
  readonly wrong: string[]
  readonly returned: string[]
}

/** A library of which every object is known. Readers read it and writers change some of it all the time. */
export interface MovingLibrary {
  readonly watched: Watched
  /** Reads every object once. */
  checkAll(storage: Storage): Promise<void>
  /** Begins to read and to change; the returned function ends it. */
  watch(storage: Storage, readers: number): () => Promise<void>
}

async function digestIn(storage: Storage, key: string): Promise<string | undefined> {
  const opened = await storage.read(key)
  if (!opened) return undefined
  const hash = createHash('sha256')
  for await (const chunk of opened.body as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

const id = (number: number) => number.toString(16).padStart(24, '0')

/** Of a hundred objects one is a film, and nine are pictures that are replaced and removed; the rest are segments. */
function keyOf(index: number): string {
  if (index % 100 === 0) return `sources/${id(index)}/source`
  if (index % 10 === 0) return `pictures/${id(index)}/poster-240-0123456789abcdef.jpg`
  return `segments/${id(index % 50)}/hls_240p/${index}.m4s`
}

function sizeOf(key: string, random: () => number): number {
  if (key.startsWith('sources/')) return 200_000 + Math.floor(random() * 1_500_000)
  return 1000 + Math.floor(random() * 60_000)
}

/** Stores a library of this many objects. */
export async function makeMovingLibrary(
  storage: Storage,
  count: number,
  random: () => number,
): Promise<MovingLibrary> {
  const objects = new Map<string, Tracked>()
  const watched: Watched = { reads: 0, changes: 0, missing: [], wrong: [], returned: [] }
  const put = async (place: Storage, key: string) => {
    const bytes = randomBytes(sizeOf(key, random))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    objects.get(key)?.versions.add(sha256)
    const written = await place.put(key, oneChunk(bytes))
    if (written.sha256 !== sha256) watched.wrong.push(`${key}: written with other bytes`)
    return sha256
  }
  for (let index = 0; index < count; index += 1) {
    const key = keyOf(index)
    const digest = await put(storage, key)
    objects.set(key, { digest, versions: new Set([digest]), changes: 0 })
  }
  const keys = [...objects.keys()]
  const changing = keys.filter((key) => key.startsWith('pictures/'))
  const pick = (among: readonly string[]) => among[Math.floor(random() * among.length)] ?? ''

  async function check(place: Storage, key: string): Promise<void> {
    const object = objects.get(key)
    if (!object) return
    const before = object.changes
    const expected = object.digest
    const found = await digestIn(place, key)
    watched.reads += 1
    const isChanging = before % 2 === 1 || before !== object.changes
    if (isChanging ? object.versions.has(found) : found === expected) return
    listFor(found, isChanging ? '' : expected).push(key)
  }

  function listFor(found: string | undefined, expected: string | undefined): string[] {
    if (found === undefined) return watched.missing
    return expected === undefined ? watched.returned : watched.wrong
  }

  async function change(place: Storage, key: string): Promise<void> {
    const object = objects.get(key)
    if (!object || object.changes % 2 === 1) return
    object.changes += 1
    if (object.digest === undefined || random() < 0.6) object.digest = await put(place, key)
    else {
      object.versions.add(undefined)
      if (random() < 0.5) await place.remove(key)
      else await place.removeUnder(key.slice(0, key.lastIndexOf('/')))
      object.digest = undefined
    }
    object.changes += 1
    watched.changes += 1
  }

  return {
    watched,
    async checkAll(place) {
      for (const key of keys) await check(place, key)
    },
    watch(place, readers) {
      let isOver = false
      const repeat = async (work: () => Promise<void>, pauseMs: number) => {
        for (; !isOver; await delay(pauseMs)) await work()
      }
      const running = Promise.all([
        ...Array.from({ length: readers }, () => repeat(() => check(place, pick(keys)), 1)),
        repeat(() => change(place, pick(changing)), 5),
      ])
      return async () => {
        isOver = true
        await running
      }
    },
  }
}

async function* oneChunk(bytes: Uint8Array) {
  yield bytes
}
