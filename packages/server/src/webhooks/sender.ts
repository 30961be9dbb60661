import type { Database } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'
import { webhookHints } from '../lists/event-hints.js'
import { attempt, type Reach } from './attempt.js'
import { putBack } from './claim.js'
import { createInFlight } from './in-flight.js'
import { type Lane, type LaneOptions, openLane } from './lane.js'
import { createRecorder, type Recorder } from './outcome.js'
import type { Claimed } from './room.js'

export interface SenderOptions {
  readonly database: Database
  readonly sealer: Sealer
  readonly reach: Reach
  readonly readBodies: LaneOptions['readBodies']
  readonly onError: (error: unknown) => void
  /** How often due deliveries are looked for without a notification. */
  readonly everyMs?: number
  /** How long a webhook is sent nothing after it failed several times. */
  readonly longestRestMs?: number
}

/** What is done for webhooks that do not answer takes at most a fifth of the time, so that a busy machine serves the others. */
const pauseOfLater = (roundMs: number) => Math.min(Math.max(50, 4 * roundMs), 1000)

/**
 * Sends events to webhooks until stopped. Any number of processes may do this at the same time. Webhooks that answer have a
 * lane of their own: they do not wait for what is done for others. (They share the machine with it; bench/results/events.md.)
 */
export async function startSender(options: SenderOptions): Promise<{ stop(): Promise<void> }> {
  const { database, readBodies, onError, everyMs = 1000, longestRestMs = 5000 } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const inFlight = createInFlight(longestRestMs)
  const working = new Set<Promise<void>>()
  const wakeAll = () => {
    for (const lane of [first, later]) lane.wakeUp()
  }
  let healthChanges = 0
  const recorder = createRecorder(database, onError, () => {
    healthChanges += 1
    wakeAll()
  })

  const send = (claimed: Claimed, body: string | undefined) => {
    inFlight.begin(claimed)
    const work = deliver(options, recorder, claimed, body, signal)
      .catch((error) => {
        onError(error)
        return true
      })
      .then((hasFailed) => {
        working.delete(work)
        inFlight.end(claimed, hasFailed)
      })
    working.add(work)
    return work
  }

  const shared = {
    db: database.db,
    everyMs,
    inFlight,
    readBodies,
    send,
    onError,
    signal,
    healthChanges: () => healthChanges,
  }
  const first: Lane = openLane({
    ...shared,
    healths: ['answering', 'slow'],
    isLater: false,
    mostInRound: Number.POSITIVE_INFINITY,
    pauseAfter: () => 0,
    wakeOther: () => later.wakeUp(),
  })
  const later: Lane = openLane({
    ...shared,
    healths: ['unknown', 'failing'],
    isLater: true,
    mostInRound: 16,
    pauseAfter: pauseOfLater,
    wakeOther: first.wakeUp,
  })
  await database.listen(webhookHints, wakeAll)
  const running = Promise.all([first.run(), later.run()])

  return {
    async stop() {
      stopping.abort()
      await running
      await Promise.all(working)
      await recorder.settled()
    },
  }
}

/** Returns whether the receiver failed. */
async function deliver(
  { database, sealer, reach }: SenderOptions,
  recorder: Recorder,
  claimed: Claimed,
  body: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const { url, event_id: id, sealed_secret, previous_secret } = claimed
  if (body === undefined) {
    recorder.add({ claimed, attempt: undefined })
    return false
  }
  const secrets = [sealed_secret, ...(previous_secret ? [previous_secret] : [])].map(sealer.unseal)
  const result = await attempt({ url, id, body, secrets }, { ...reach, signal })
  // Without a result, it was broken off because this worker stops.
  if (result === undefined) await putBack(database.db, claimed)
  else recorder.add({ claimed, attempt: result })
  return result !== undefined && result.error !== null
}
