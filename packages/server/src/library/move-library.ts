import { setMaxListeners } from 'node:events'
import type { Db } from '../db/database.js'
import type { ListedObject, Storage } from '../storage/storage.js'
import type { TwoPlaces } from '../storage/two-places.js'
import { countObjects, filmIn, holdsLibrary, listLibrary } from './contents.js'
import { type MoveOptions, moveObject } from './move-object.js'
import { type MoveNames, type MoveRecord, openMove } from './moves.js'
import { createPace } from './pace.js'

export interface MoveRun {
  readonly places: TwoPlaces
  readonly names: MoveNames
  /** Bytes in a second that are copied, and as many that are read again to compare. */
  readonly rate?: number
  readonly signal?: AbortSignal
}

export interface MoveResult {
  readonly objects: number
  readonly bytes: number
  readonly failed: number
  /** Whether nothing is left in the old place. */
  readonly isComplete: boolean
}

const pageSize = 200
const atOnce = 8
const saveEveryMs = 500
/** So many failures in a row are not the fault of the objects. */
const mostInARow = 20

/**
 * Moves everything from the old place to the new one, while others read and write. It can be killed anywhere; the next
 * run goes on. Objects that fail stay in the old place, where they are still found.
 */
export async function moveLibrary(db: Db, { places, names, rate, signal }: MoveRun): Promise<MoveResult> {
  const record = await openMove(db, names)
  const counted = await countObjects(places.from)
  await record.setTotal(counted.objects, counted.bytes)
  const stopping = new AbortController()
  const stopped = AbortSignal.any([stopping.signal, ...(signal ? [signal] : [])])
  setMaxListeners(0, stopped)
  const run = createRun(places, record, {
    signal: stopped,
    expected: (key) => digestInDatabase(db, key),
    ...(rate !== undefined && { pace: createPace(rate, stopped) }),
  })
  // Also shows that a large film is still being copied, and notices that another process has taken over.
  const saving = setInterval(() => run.save().catch((error) => stopping.abort(error)), saveEveryMs)
  try {
    let failed = 0
    // Uploads that were begun in the old place end there meanwhile, so look until nothing more is found.
    for (let before = -1; before !== run.sum().objects; ) {
      before = run.sum().objects
      failed = await movePass(places.from, run)
    }
    const isComplete = !(await holdsLibrary(places.from))
    if (isComplete) await record.end()
    return { ...run.sum(), failed, isComplete }
  } finally {
    clearInterval(saving)
  }
}

interface ObjectMover {
  /** Returns whether it did not fail. */
  move(object: ListedObject): Promise<boolean>
  sum(): { objects: number; bytes: number }
  save(): Promise<void>
}

function createRun(
  places: TwoPlaces,
  record: MoveRecord,
  options: MoveOptions & { readonly signal: AbortSignal },
): ObjectMover {
  const sum = { objects: 0, bytes: 0 }
  let saved = { ...sum }
  let saving = Promise.resolve()
  let inARow = 0
  const fail = async (key: string, reason: string) => {
    inARow += 1
    await record.fail(key, reason)
    if (inARow >= mostInARow) throw new Error(`${inARow} files in a row could not be moved. ${reason}`)
  }
  const { signal } = options
  return {
    sum: () => ({ ...sum }),
    save() {
      saving = saving.then(async () => {
        const now = { ...sum }
        await record.save(now.objects - saved.objects, now.bytes - saved.bytes)
        saved = now
      })
      return saving
    },
    async move({ key }) {
      signal.throwIfAborted()
      try {
        const size = await moveObject(places, key, options)
        inARow = 0
        if (size === undefined) return true
        sum.objects += 1
        sum.bytes += size
        return true
      } catch (error) {
        if (signal.aborted) throw signal.reason
        await fail(key, error instanceof Error ? error.message : String(error))
        return false
      }
    },
  }
}

/** Moves everything once, page by page. Returns the number of objects that failed. */
async function movePass(from: Storage, run: ObjectMover): Promise<number> {
  let failed = 0
  const movePage = async (page: ListedObject[]) => {
    const work = async () => {
      for (let object = page.shift(); object; object = page.shift())
        if (!(await run.move(object))) failed += 1
    }
    const endings = await Promise.allSettled(Array.from({ length: atOnce }, work))
    await run.save()
    for (const ending of endings) if (ending.status === 'rejected') throw ending.reason
  }
  let page: ListedObject[] = []
  for await (const object of listLibrary(from)) {
    page.push(object)
    if (page.length < pageSize) continue
    await movePage(page)
    page = []
  }
  await movePage(page)
  return failed
}

/** The digest of an uploaded film or audio track; undefined for everything that is made from one. */
async function digestInDatabase(db: Db, key: string): Promise<string | undefined> {
  const id = filmIn(key)
  if (id === undefined) return undefined
  const [row] = await db<{ sha256: string }[]>`
    select sha256 from sources where _id = ${id}
    union all select sha256 from audio_tracks where file_id = ${id} and sha256 is not null
  `
  return row?.sha256 || undefined
}
