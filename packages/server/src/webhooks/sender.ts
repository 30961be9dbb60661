import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'
import { webhookHints } from '../lists/event-hints.js'
import { attempt, type Reach } from './attempt.js'
import { type Claimed, chooseDue, claim, dispatchEvents, putBack } from './claim.js'
import { storeOutcome } from './outcome.js'
import { createReceivers } from './receivers.js'
import type { Health } from './room.js'

export interface SenderOptions {
  readonly database: Database
  readonly sealer: Sealer
  readonly reach: Reach
  /** The bodies of events, by their ids. Those of events that are no longer kept are missing. */
  readonly readBodies: (
    events: readonly Pick<Claimed, 'site_id' | 'event_id'>[],
  ) => Promise<ReadonlyMap<string, string>>
  readonly onError: (error: unknown) => void
  /** Whether anything may be sent now. */
  readonly maySend?: () => boolean
  /** How often due deliveries are looked for without a notification. */
  readonly everyMs?: number
  /** How long a webhook is sent nothing after it failed several times. */
  readonly longestRestMs?: number
}

/** What is done for receivers that may not answer takes at most a fifth of the time, so that a busy machine serves the others. */
const pauseForOthers = (roundMs: number) => Math.min(Math.max(50, 4 * roundMs), 1000)
/** How many deliveries to those one round sends: beginning many at once would delay what is sent to the others. */
const mostForOthers = 16

/**
 * Sends deliveries to webhooks until stopped. Any number of processes may do this at the same time. Receivers that answer have
 * rounds of their own: what is done for others takes longer, because a hundred dead ones always have due deliveries.
 */
export async function startSender(options: SenderOptions): Promise<{ stop(): Promise<void> }> {
  const { database, readBodies, onError, everyMs = 1000, longestRestMs = 5000 } = options
  const { maySend = () => true } = options
  const { db } = database
  const stopping = new AbortController()
  const { signal } = stopping
  const receivers = createReceivers(longestRestMs)
  const working = new Set<Promise<void>>()
  /** The healths of receivers that had no room for all that was due. */
  const leftOut = new Set<Health>()

  const send = (claimed: Claimed, body: string | undefined) => {
    receivers.begin(claimed)
    const work = deliver(options, claimed, body, signal)
      .catch((error) => {
        onError(error)
        return true
      })
      .then((hasFailed) => {
        working.delete(work)
        receivers.end(claimed, hasFailed)
        wakeFor(claimed.health, hasFailed)
      })
    working.add(work)
  }

  /** Takes what is due and begins to send it. It does not wait for the answers of receivers. */
  const sendDue = async (healths: readonly Health[], most: number) => {
    for (const health of healths) leftOut.add(health)
    const { chosen, full } = await chooseDue(db, healths, receivers.business(), most)
    for (const health of healths) if (!full.has(health)) leftOut.delete(health)
    if (chosen.length === 0) return
    const [claims, bodies] = await Promise.all([claim(db, chosen), readBodies(chosen)])
    for (const claimed of claims) send(claimed, bodies.get(claimed.event_id))
  }

  /** Makes deliveries. Those that are left wait for the next round, and what is made or left for the others for one of theirs. */
  const dispatch = async (turn: 'first' | 'later') => {
    const { isSome, isMore } = await dispatchEvents(db, turn)
    const [own, other] = turn === 'first' ? [answering, others] : [others, answering]
    if (isMore) own.wakeUp()
    if (isSome) other.wakeUp()
  }

  const answering = repeat(
    async () => {
      await dispatch('first')
      await sendDue(['answering', 'slow'], Number.POSITIVE_INFINITY)
    },
    () => 0,
  )
  const others = repeat(async () => {
    await dispatch('later')
    await sendDue(['new', 'failing'], mostForOthers)
  }, pauseForOthers)

  /** After an attempt, those may be sent something that had no room, and a receiver that answers again may have more. */
  const wakeFor = (health: Health, hasFailed: boolean) => {
    const isOther = health === 'new' || health === 'failing'
    if (leftOut.has(health)) (isOther ? others : answering).wakeUp()
    if (isOther && !hasFailed) answering.wakeUp()
  }

  /** Runs rounds until stopped: when woken, and now and then. After a round there is a pause that depends on its duration. */
  function repeat(round: () => Promise<void>, pauseAfter: (roundMs: number) => number) {
    let wake = new AbortController()
    const wakeUp = () => wake.abort()
    signal.addEventListener('abort', wakeUp)
    const run = async () => {
      while (!signal.aborted) {
        wake = new AbortController()
        const begun = performance.now()
        if (maySend()) await round().catch(onError)
        await delay(pauseAfter(performance.now() - begun), undefined, { signal }).catch(() => {})
        await delay(everyMs, undefined, { signal: wake.signal }).catch(() => {})
      }
    }
    return { wakeUp, run }
  }

  await database.listen(webhookHints, () => {
    for (const each of [answering, others]) each.wakeUp()
  })
  const running = Promise.all([answering.run(), others.run()])
  return {
    async stop() {
      stopping.abort()
      await running
      await Promise.all(working)
    },
  }
}

/** Returns whether the receiver failed. */
async function deliver(
  { database, sealer, reach }: SenderOptions,
  claimed: Claimed,
  body: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const { url, event_id: id, sealed_secret, previous_secret } = claimed
  if (body === undefined) {
    await storeOutcome(database, claimed, undefined)
    return false
  }
  const secrets = [sealed_secret, ...(previous_secret ? [previous_secret] : [])].map(sealer.unseal)
  const result = await attempt({ url, id, body, secrets }, { ...reach, signal })
  // Without a result, it was broken off because this worker stops.
  if (result === undefined) await putBack(database.db, claimed)
  else await storeOutcome(database, claimed, result)
  return result !== undefined && result.error !== null
}
