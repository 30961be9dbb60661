import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.js'
import {
  abandonWindow,
  channel,
  claimWindow,
  finishWindow,
  forgetWindow,
  nameOf,
  releaseWindow,
  renewWindow,
  type WindowKey,
} from './window-leases.js'

/** Makes the files of a window and answers with their size. They must be in storage, whole, when it ends. */
export type Make = (signal: AbortSignal) => Promise<{ readonly bytes: number }>

export interface WindowStore {
  /**
   * Resolves when the window is there: made before, made now, or made by another process meanwhile. Rejects when it cannot
   * be made. The signal ends the waiting and not the work, which others may wait for.
   */
  ensure(key: WindowKey, make: Make, signal?: AbortSignal): Promise<void>
  /** The files of a window are gone: it is made again when somebody asks. */
  forget(key: WindowKey): Promise<void>
  /** Ends all work here; others take it over at once. */
  close(): Promise<void>
}

export interface WindowStoreOptions {
  /** The name in leases. */
  readonly holder?: string
  readonly lease?: number
}

/** A window that failed too often; what is wrong with it is in the message. */
export class WindowFailed extends Error {}

/** So long a lease is believed without a word; a process that died costs its viewers at most this. */
const leaseMs = 10_000
const mostKnown = 100_000
const longestWaitMs = 1000

export async function openWindowStore(
  database: Database,
  { holder = randomBytes(12).toString('hex'), lease = leaseMs }: WindowStoreOptions = {},
): Promise<WindowStore> {
  const { db } = database
  const running = new Map<string, Promise<void>>()
  const made = new Set<string>()
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

  async function untilMade(key: WindowKey, make: Make): Promise<void> {
    for (;;) {
      closing.signal.throwIfAborted()
      const claim = await claimWindow(db, key, holder, lease)
      if (claim.kind === 'made') return
      if (claim.kind === 'failed') throw new WindowFailed(claim.error)
      if (claim.kind === 'taken') await makeOurs(key, make)
      else await changed(nameOf(key), claim.forMs)
    }
  }

  function begin(key: WindowKey, make: Make): Promise<void> {
    const name = nameOf(key)
    const work = untilMade(key, make)
      .then(() => {
        if (made.size >= mostKnown) made.clear()
        made.add(name)
      })
      .finally(() => running.delete(name))
    running.set(name, work)
    return work
  }

  return {
    async ensure(key, make, signal) {
      const name = nameOf(key)
      if (made.has(name)) return
      await unlessEnded(running.get(name) ?? begin(key, make), signal)
    },
    async forget(key) {
      made.delete(nameOf(key))
      await forgetWindow(db, key)
    },
    async close() {
      closing.abort(new Error('The server is stopping.'))
      await Promise.allSettled(running.values())
    },
  }
}

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
