import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.js'
import {
  createEncoderTurns,
  createSharedRequest,
  type EncoderTurns,
  type Need,
  type SharedRequest,
} from './encoder-turns.js'
import { type LeaseState, type MakeAll, makeLeased } from './lease-work.js'
import {
  channel,
  forgetWindow,
  holderName,
  type MadeWindow,
  seeWindow,
  tellOfWindow,
  type WindowKey,
  windowName,
} from './window-leases.js'
import type { Elsewhere } from './window-requests.js'

/**
 * Makes the files of a window; returns their size and the time taken. All must be stored when it resolves.
 */
export type Make = (signal: AbortSignal) => Promise<MadeWindow>

export interface WindowStore {
  /**
   * Resolves when the window exists: made earlier, now, or by another process. Rejects if it cannot be made.
   */
  ensure(key: WindowKey, make: Make | undefined, asking?: EnsureOptions): Promise<void>
  /**
   * Makes missing windows that nobody waits for, together. Those being made elsewhere are skipped, and those
   * requested meanwhile are given up.
   */
  ensureAhead(keys: readonly WindowKey[], make: MakeAll): Promise<void>
  /** Announces that part of the window is stored before all of it is. */
  tell(key: WindowKey): Promise<void>
  /** Resolves when there is news of the window, or after this many milliseconds. */
  changed(key: WindowKey, forMs: number): Promise<void>
  /** The files of a window are gone: it is made again on demand. */
  forget(key: WindowKey): Promise<void>
  /** Ends all work here; other processes take over at once. */
  close(): Promise<void>
}

export interface EnsureOptions {
  /** Ends the wait, and also the work if it has not begun and nobody else waits for it. */
  readonly signal?: AbortSignal | undefined
  /** Background by default. */
  readonly need?: Need
  /** Workers can make it too, and may receive the request. */
  readonly byWorkers?: boolean
}

export interface WindowStoreOptions {
  /** The name in leases. */
  readonly holder?: string
  readonly lease?: number
  /** How long to wait for news of a window before checking again. */
  readonly longestWait?: number
  /** Slots for work done here. */
  readonly turns?: EncoderTurns
  /** For processes that leave the work to others as long as there are any. */
  readonly elsewhere?: Elsewhere | undefined
}

/** A window that failed too often; the message says why. */
export class WindowFailed extends Error {}

/** The missing window cannot be made here and now. */
export class NotMadeHere extends Error {}

/** The queue is so long that another request would wait too long. */
export class TooManyWaiting extends Error {}

/** How long a lease lasts without renewal: the longest delay that a dead process causes viewers. */
const leaseMs = 10_000
const longestWaitMs = 1000
const mostAwaited = 2000
/** A dead worker is back by then, or counts as missing. */
const patienceMs = 10_000

interface Running {
  readonly work: Promise<void>
  readonly request: SharedRequest
}

interface Work {
  readonly key: WindowKey
  readonly make: Make | undefined
  readonly byWorkers: boolean
  readonly request: SharedRequest
  readonly begun: number
}

export async function openWindowStore(
  database: Database,
  {
    holder = randomBytes(12).toString('hex'),
    lease = leaseMs,
    longestWait = longestWaitMs,
    turns = createEncoderTurns(availableParallelism()),
    elsewhere,
  }: WindowStoreOptions = {},
): Promise<WindowStore> {
  const { db } = database
  const running = new Map<string, Running>()
  const ahead = new Set<Promise<unknown>>()
  let works = 0
  const waiting = new Map<string, Set<() => void>>()
  const closing = new AbortController()

  await database.listen(channel, (name) => {
    // An empty message means that notifications may have been missed.
    const woken = name === '' ? [...waiting.values()] : [waiting.get(name) ?? new Set<() => void>()]
    for (const wakers of woken) for (const wake of wakers) wake()
  })

  async function changed(name: string, forMs: number): Promise<void> {
    const wakers = waiting.get(name) ?? new Set()
    waiting.set(name, wakers)
    const pause = new AbortController()
    const wake = () => pause.abort()
    wakers.add(wake)
    await delay(Math.min(Math.max(forMs, 20), longestWait), undefined, { signal: pause.signal }).catch(
      () => {},
    )
    wakers.delete(wake)
    if (wakers.size === 0) waiting.delete(name)
  }

  /** Claims windows when a slot is free, makes them, and returns their state. */
  async function makeInTurn(
    keys: readonly WindowKey[],
    make: MakeAll,
    request: SharedRequest,
  ): Promise<LeaseState[]> {
    const leave = await turns(request)
    try {
      works += 1
      const name = holderName(holder, works)
      const lasting = { name, leaseMs: lease, yields: request.need === 'background' }
      return await makeLeased({ db, holder: lasting, closing: closing.signal }, keys, make)
    } finally {
      leave()
    }
  }

  /** Makes the window or has it made, and returns its state. */
  async function attempt({ key, make, byWorkers, request, begun }: Work): Promise<LeaseState['claim']> {
    closing.signal.throwIfAborted()
    request.left.throwIfAborted()
    const isAsked = byWorkers && (await elsewhere?.ask(key))
    if (make && !isAsked) {
      const [state] = await makeInTurn([key], alone(key, make), request)
      if (state) return state.claim
    }
    if (!isAsked && performance.now() - begun > patienceMs) throw new NotMadeHere()
    return seeWindow(db, key)
  }

  async function untilMade(work: Work): Promise<void> {
    for (;;) {
      const claim = await attempt(work)
      if (claim.kind === 'made') return
      if (claim.kind === 'failed') throw new WindowFailed(claim.error)
      if (claim.kind === 'busy') await changed(windowName(work.key), claim.forMs)
    }
  }

  function begin(key: WindowKey, make: Make | undefined, byWorkers: boolean): Running {
    if (running.size >= mostAwaited) throw new TooManyWaiting()
    const name = windowName(key)
    const request = createSharedRequest()
    const work = untilMade({ key, make, byWorkers, request, begun: performance.now() }).finally(() =>
      running.delete(name),
    )
    // The error reaches those who wait; if all have left, nobody needs it.
    work.catch(ignore)
    const entry = { work, request }
    running.set(name, entry)
    return entry
  }

  return {
    async ensure(key, make, { signal, need = 'background', byWorkers = false } = {}) {
      const name = windowName(key)
      let known = running.get(name)
      // Work that all have left ends first, or is done after all.
      while (known?.request.left.aborted) {
        await unlessEnded(known.work.catch(ignore), signal)
        known = running.get(name)
      }
      const { work, request } = known ?? begin(key, make, byWorkers)
      const forget = request.join(need, signal)
      await unlessEnded(work, signal).finally(forget)
    },
    async ensureAhead(keys, make) {
      const work = makeInTurn(keys, make, createSharedRequest()).finally(() => ahead.delete(work))
      ahead.add(work)
      const failed = (await work).find(({ claim }) => claim.kind === 'failed')
      if (failed?.claim.kind === 'failed') throw new WindowFailed(failed.claim.error)
    },
    tell: (key) => tellOfWindow(db, key),
    changed: (key, forMs) => changed(windowName(key), forMs),
    forget: (key) => forgetWindow(db, key),
    async close() {
      closing.abort(new Error('The server is stopping.'))
      await Promise.allSettled([...[...running.values()].map(({ work }) => work), ...ahead])
    },
  }
}

const ignore = () => {}

/** A single window is a group of one. */
const alone =
  (key: WindowKey, make: Make): MakeAll =>
  async (_keys, isMade, signal) =>
    isMade(key, await make(signal))

/** The result of the work, or an abort of the wait. */
function unlessEnded<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}
