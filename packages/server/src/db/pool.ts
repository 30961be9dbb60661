import { endedPool } from './connection-error.js'
import { type DatabaseLink, type LinkEvents, type LinkOptions, openLink } from './link.js'
import type { Send } from './statement.js'

/** Connections that statements and transactions share. */
export interface Pool {
  /** Sends a statement on any connection. */
  readonly send: Send
  /** Takes a connection for a transaction. */
  hold(): Promise<DatabaseLink>
  release(link: DatabaseLink): void
  close(): Promise<void>
}

export interface PoolOptions extends LinkOptions {
  /** Connections at most. They are opened when they are needed. */
  readonly max: number
}

interface LinkRequest {
  /** Whether it needs a connection of its own. */
  readonly isAlone: boolean
  readonly take: (link: DatabaseLink) => void
  readonly reject: (error: unknown) => void
}

/** More statements than this are not sent on one connection before the first of them is answered. */
const mostPending = 32
/** How long statements that were sent are waited for when the pool is closed. */
const patienceMs = 5000

/** How long to wait before the next attempt to connect. Requests wait for it. */
const pauseMs = (failures: number) => (failures === 0 ? 0 : Math.min(10 * 2 ** failures, 250))

/**
 * A statement goes to an idle connection, then to a new one, then behind others on the one with the fewest. Transactions have
 * a connection for themselves. Requests that cannot be served wait, and are served in order.
 */
export function openPool({ max, ...options }: PoolOptions): Pool {
  const links = new Set<DatabaseLink>()
  const held = new Set<DatabaseLink>()
  let waiting: LinkRequest[] = []
  let opening = 0
  let failures = 0
  let isClosed = false
  let onDrained: (() => void) | undefined

  function leastBusy(): DatabaseLink | undefined {
    let best: DatabaseLink | undefined
    for (const link of links)
      if (!held.has(link) && (!best || link.pending < best.pending)) {
        if (link.pending === 0) return link
        best = link
      }
    return best
  }

  function freeLink(isAlone: boolean): DatabaseLink | undefined {
    const link = leastBusy()
    if (!link || link.pending === 0) return link
    // A connection that is being opened, or could be, is better than one that works.
    const canShare = !isAlone && opening === 0 && links.size >= max && link.pending < mostPending
    return canShare ? link : undefined
  }

  function serve(): void {
    while (serveFirst());
    while (opening < waiting.length && links.size + opening < max) void open()
    if (isClosed) tellDrained()
  }

  function serveFirst(): boolean {
    const first = waiting[0]
    const link = first && freeLink(first.isAlone)
    if (!link) return false
    waiting.shift()
    if (first.isAlone) held.add(link)
    first.take(link)
    return true
  }

  function tellDrained(): void {
    if ([...links].every((link) => link.pending === 0 && !held.has(link))) onDrained?.()
  }

  async function open(): Promise<void> {
    opening += 1
    if (failures > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs(failures)))
    const last = waiting.at(-1)
    let link: DatabaseLink | undefined
    const events: LinkEvents = {
      onAnswer: serve,
      onEnd: () => {
        if (link) links.delete(link)
        serve()
      },
    }
    try {
      link = await openLink(options, events)
      failures = 0
      if (isClosed) await link.close()
      else if (!link.loss) links.add(link)
    } catch (error) {
      failures += 1
      // If other connections are open, requests wait for those. Otherwise the requests behind this attempt are rejected.
      if (links.size === 0) rejectUpTo(last, error)
    }
    opening -= 1
    serve()
  }

  function rejectUpTo(last: LinkRequest | undefined, error: unknown): void {
    const count = last ? waiting.indexOf(last) + 1 : 0
    for (const each of waiting.splice(0, count)) each.reject(error)
  }

  const enter = (isAlone: boolean): Promise<DatabaseLink> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(endedPool())
      waiting.push({ isAlone, take: resolve, reject })
      serve()
    })

  return {
    send(statement) {
      const link = waiting.length === 0 && !isClosed ? freeLink(false) : undefined
      if (link) return link.send(statement)
      return new Promise((resolve, reject) => {
        if (isClosed) return reject(endedPool())
        // Sent at once, so that the connection counts as busy.
        waiting.push({ isAlone: false, take: (taken) => resolve(taken.send(statement)), reject })
        serve()
      })
    },
    hold: () => enter(true),
    release(link) {
      held.delete(link)
      serve()
    },
    async close() {
      isClosed = true
      for (const each of waiting) each.reject(endedPool())
      waiting = []
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        onDrained = resolve
        timer = setTimeout(resolve, patienceMs)
        serve()
      })
      clearTimeout(timer)
      await Promise.all([...links].map((link) => (link.pending > 0 ? link.destroy() : link.close())))
    },
  }
}
