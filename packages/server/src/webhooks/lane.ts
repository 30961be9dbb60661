import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../db/database.js'
import { chooseDue, claim } from './claim.js'
import { dispatchEvents } from './dispatch.js'
import type { InFlight } from './in-flight.js'
import type { Claimed, Health } from './room.js'
import { fillsRoom } from './turns.js'

export interface LaneOptions {
  readonly db: Db
  /** The webhooks that it serves. */
  readonly healths: readonly Health[]
  /** Whether it makes deliveries of events that were left for later. */
  readonly isLater: boolean
  /** How many deliveries one round sends: beginning many at once would delay what the other lane sends. */
  readonly mostInRound: number
  /** The pause after a round that took so long. */
  readonly pauseAfter: (roundMs: number) => number
  /** The most time between two rounds without a notification. */
  readonly everyMs: number
  /** What this worker sends, in all lanes. */
  readonly inFlight: InFlight
  /** The bodies of events, by their ids. */
  readonly readBodies: (
    events: readonly Pick<Claimed, 'site_id' | 'event_id'>[],
  ) => Promise<ReadonlyMap<string, string>>
  /** Sends a delivery. Never rejects. */
  readonly send: (claimed: Claimed, body: string | undefined) => Promise<void>
  /** How often webhooks have begun to answer, or to fail, as far as this worker knows. */
  readonly healthChanges: () => number
  /** Wakes the other lane. */
  readonly wakeOther: () => void
  readonly onError: (error: unknown) => void
  readonly signal: AbortSignal
}

export interface Lane {
  wakeUp(): void
  run(): Promise<void>
}

/** Dispatches events, and claims deliveries and sends them, in rounds that do not wait for the answers of receivers. */
export function openLane(options: LaneOptions): Lane {
  const { db, healths, inFlight, signal, onError } = options
  let finished = 0
  /** Whether the last round had no room for some that were due, so that they wait for others to finish. */
  let isFull = false
  let wake = new AbortController()
  const wakeUp = () => wake.abort()
  const onFinished = () => {
    finished += 1
    if (isFull) wakeUp()
  }

  /** Makes deliveries of queued events. Those that are still queued afterwards wait for the next round only. */
  async function dispatch(): Promise<void> {
    const changesBefore = options.healthChanges()
    const { isSome, isMore, isForOthers } = await dispatchEvents(db, options.isLater)
    if (isMore) wakeUp()
    // A webhook that has changed meanwhile is served by the other lane, which looked before these deliveries were there.
    if (isForOthers || (isSome && options.healthChanges() !== changesBefore)) options.wakeOther()
  }

  /** Takes what is due and begins to send it. */
  async function claimAndSend(): Promise<void> {
    const busy = inFlight.busy()
    const finishedBefore = finished
    const due = await chooseDue(db, healths, busy)
    const chosen = due.slice(0, options.mostInRound)
    if (chosen.length < due.length) wakeUp()
    isFull = fillsRoom([...busy.sending, ...chosen].filter(({ health }) => healths.includes(health)))
    if (isFull && finished !== finishedBefore) wakeUp()
    if (chosen.length === 0) return
    const [claims, bodies] = await Promise.all([claim(db, chosen), options.readBodies(chosen)])
    for (const claimed of claims) void options.send(claimed, bodies.get(claimed.event_id)).finally(onFinished)
  }

  async function round(): Promise<void> {
    await dispatch()
    if (!signal.aborted) await claimAndSend()
  }

  return {
    wakeUp,
    async run() {
      signal.addEventListener('abort', wakeUp)
      while (!signal.aborted) {
        wake = new AbortController()
        const begun = performance.now()
        await round().catch(onError)
        await delay(options.pauseAfter(performance.now() - begun), undefined, { signal }).catch(() => {})
        await delay(options.everyMs, undefined, { signal: wake.signal }).catch(() => {})
      }
    },
  }
}
