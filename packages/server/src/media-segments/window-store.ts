import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.js'
import {
  createEncoderTurns,
  createSharedWish,
  type EncoderTurns,
  type Need,
  type SharedWish,
} from './encoder-turns.js'
import {
  abandonWindow,
  type Claim,
  channel,
  claimWindow,
  finishWindow,
  forgetWindow,
  nameOf,
  releaseWindow,
  renewWindow,
  seeWindow,
  tellOfWindow,
  type WindowKey,
} from './window-leases.js'
import type { Elsewhere } from './window-wishes.js'

/** Makes the files of a window and answers with their size. They must be in storage, whole, when it ends. */
export type Make = (signal: AbortSignal) => Promise<{ readonly bytes: number }>

export interface WindowStore {
  /**
   * Resolves when the window is there: made before, made now, or made by another process meanwhile. Rejects when it cannot
   * be made.
   */
  ensure(key: WindowKey, make: Make | undefined, asking?: Asking): Promise<void>
  /** Something of the window is in storage before all of it is. */
  tell(key: WindowKey): Promise<void>
  /** Resolves when there is news of the window, or after so many milliseconds. */
  changed(key: WindowKey, forMs: number): Promise<void>
  /** The files of a window are gone: it is made again when somebody asks. */
  forget(key: WindowKey): Promise<void>
  /** Ends all work here; others take it over at once. */
  close(): Promise<void>
}

export interface Asking {
  /** Ends the waiting, and the work if it has not begun and nobody else waits for it. */
  readonly signal?: AbortSignal | undefined
  /** Nobody waits for it unless said. */
  readonly need?: Need
  /** Workers know how it is made, and may be asked for it. */
  readonly byWorkers?: boolean
}

export interface WindowStoreOptions {
  /** The name in leases. */
  readonly holder?: string
  readonly lease?: number
  /** What is made here takes turns. */
  readonly turns?: EncoderTurns
  /** Given to processes that leave the work to others as long as there are any. */
  readonly elsewhere?: Elsewhere | undefined
}

/** A window that failed too often; what is wrong with it is in the message. */
export class WindowFailed extends Error {}

/** What is missing cannot be made here and now. */
export class NotMadeHere extends Error {}

/** So many wait already that one more would wait too long. */
export class TooManyWaiting extends Error {}

/** So long a lease is believed without a word; a process that died costs its viewers at most this. */
const leaseMs = 10_000
const longestWaitMs = 1000
const mostAwaited = 2000
/** A worker that died is back by then, or is missed. */
const patienceMs = 10_000

interface Running {
  readonly work: Promise<void>
  readonly wish: SharedWish
}

interface Work {
  readonly key: WindowKey
  readonly make: Make | undefined
  readonly byWorkers: boolean
  readonly wish: SharedWish
  readonly begun: number
}

export async function openWindowStore(
  database: Database,
  {
    holder = randomBytes(12).toString('hex'),
    lease = leaseMs,
    turns = createEncoderTurns(availableParallelism()),
    elsewhere,
  }: WindowStoreOptions = {},
): Promise<WindowStore> {
  const { db } = database
  const running = new Map<string, Running>()
  const waiting = new Map<string, Set<() => void>>()
  const closing = new AbortController()

  await database.listen(channel, (name) => {
    // An empty message says that some may have been missed.
    const woken = name === '' ? [...waiting.values()] : [waiting.get(name) ?? new Set<() => void>()]
    for (const wakers of woken) for (const wake of wakers) wake()
  })

  async function changed(name: string, forMs: number): Promise<void> {
    const wakers = waiting.get(name) ?? new Set()
    waiting.set(name, wakers)
    const pause = new AbortController()
    const wake = () => pause.abort()
    wakers.add(wake)
    await delay(Math.min(Math.max(forMs, 20), longestWaitMs), undefined, { signal: pause.signal }).catch(
      () => {},
    )
    wakers.delete(wake)
    if (wakers.size === 0) waiting.delete(name)
  }

  /** Makes a window that is ours for as long as we say so. */
  async function makeOurs(key: WindowKey, make: Make): Promise<void> {
    const ending = new AbortController()
    const end = () => ending.abort(closing.signal.reason)
    closing.signal.addEventListener('abort', end)
    const heartbeat = setInterval(() => {
      renewWindow(db, key, holder, lease).then(
        (ours) => ours || ending.abort(new Error('Another process has taken over.')),
        // Without the database the lease may end; then it is found at the end.
        () => {},
      )
    }, lease / 3)
    try {
      const { bytes } = await make(ending.signal)
      await finishWindow(db, key, holder, bytes)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (ending.signal.aborted) await abandonWindow(db, key, holder)
      else await releaseWindow(db, key, holder, message)
    } finally {
      clearInterval(heartbeat)
      closing.signal.removeEventListener('abort', end)
    }
  }

  /** Takes the window when a place is free, makes it, and answers how it stands. */
  async function makeInTurn(key: WindowKey, make: Make, wish: SharedWish): Promise<Claim> {
    const leave = await turns(wish)
    try {
      for (;;) {
        closing.signal.throwIfAborted()
        const claim = await claimWindow(db, key, holder, lease)
        if (claim.kind !== 'taken') return claim
        await makeOurs(key, make)
      }
    } finally {
      leave()
    }
  }

  /** Makes the window or has it made, and answers how it stands. */
  async function attempt({ key, make, byWorkers, wish, begun }: Work): Promise<Claim> {
    closing.signal.throwIfAborted()
    wish.left.throwIfAborted()
    const isAsked = byWorkers && (await elsewhere?.ask(key))
    if (make && !isAsked) return makeInTurn(key, make, wish)
    if (!isAsked && performance.now() - begun > patienceMs) throw new NotMadeHere()
    return seeWindow(db, key)
  }

  async function untilMade(work: Work): Promise<void> {
    for (;;) {
      const claim = await attempt(work)
      if (claim.kind === 'made') return
      if (claim.kind === 'failed') throw new WindowFailed(claim.error)
      if (claim.kind === 'busy') await changed(nameOf(work.key), claim.forMs)
    }
  }

  function begin(key: WindowKey, make: Make | undefined, byWorkers: boolean): Running {
    if (running.size >= mostAwaited) throw new TooManyWaiting()
    const name = nameOf(key)
    const wish = createSharedWish()
    const work = untilMade({ key, make, byWorkers, wish, begun: performance.now() }).finally(() =>
      running.delete(name),
    )
    // Whoever waits hears of it; when all have left, nobody does.
    work.catch(ignore)
    const entry = { work, wish }
    running.set(name, entry)
    return entry
  }

  return {
    async ensure(key, make, { signal, need = 'background', byWorkers = false } = {}) {
      const name = nameOf(key)
      let known = running.get(name)
      // What all have left is ended first, or is made after all.
      while (known?.wish.left.aborted) {
        await unlessEnded(known.work.catch(ignore), signal)
        known = running.get(name)
      }
      const { work, wish } = known ?? begin(key, make, byWorkers)
      wish.join(need, signal)
      await unlessEnded(work, signal)
    },
    tell: (key) => tellOfWindow(db, key),
    changed: (key, forMs) => changed(nameOf(key), forMs),
    forget: (key) => forgetWindow(db, key),
    async close() {
      closing.abort(new Error('The server is stopping.'))
      await Promise.allSettled([...running.values()].map(({ work }) => work))
    },
  }
}

const ignore = () => {}

/** The outcome of work, or the end of the patience for it. */
function unlessEnded<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}
