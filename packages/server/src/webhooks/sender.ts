import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'
import { eventHints } from '../lists/event-hints.js'
import { attempt, type Reach } from './attempt.js'
import { type Claimed, channelRoom, claimDue, mostOfChannel, mostOfHost, putBack, room } from './claim.js'
import { dispatchEvents } from './dispatch.js'
import { createRecorder, type Recorder } from './outcome.js'

export interface SenderOptions {
  readonly database: Database
  readonly sealer: Sealer
  readonly reach: Reach
  /** The bodies of events, by their ids. */
  readonly readBodies: (
    events: readonly Pick<Claimed, 'site_id' | 'event_id'>[],
  ) => Promise<ReadonlyMap<string, string>>
  readonly onError: (error: unknown) => void
  /** How often due deliveries are looked for without a notification. */
  readonly everyMs?: number
}

/** A receiver that takes longer than this is a slow one until it answers faster. */
const slowMs = 2000

/** Sends events to webhooks until stopped. Any number of processes may do this at the same time. */
export async function startSender(options: SenderOptions): Promise<{ stop(): Promise<void> }> {
  const { database, onError, everyMs = 1000 } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const sending = new Map<Promise<void>, Claimed>()
  const recorder = createRecorder(database, onError)
  const slow = new Set<string>()
  let finished = 0
  /** Whether the last round had no room for some that were due, so that they wait for others to finish. */
  let isFull = false
  let wake = new AbortController()
  const wakeUp = () => wake.abort()
  await database.listen(eventHints, wakeUp)
  signal.addEventListener('abort', wakeUp)

  const send = (claimed: Claimed, body: string | undefined) => {
    const begun = performance.now()
    const { webhook_id } = claimed
    const work = deliver(options, recorder, claimed, body, signal)
      .catch(onError)
      .finally(() => {
        sending.delete(work)
        finished += 1
        if (performance.now() - begun > slowMs) slow.add(webhook_id)
        else slow.delete(webhook_id)
        if (isFull) wakeUp()
      })
    sending.set(work, claimed)
  }

  /** Takes what is due and begins to send it. Events that are still queued afterwards wait for the next round only. */
  async function round(): Promise<void> {
    if (await dispatchEvents(database.db)) wakeUp()
    if (signal.aborted) return
    const active = [...sending.values()]
    const finishedBefore = finished
    const claims = await claimDue(database.db, {
      healths: countBy(active, ({ health }) => health),
      webhooks: countBy(active, ({ webhook_id }) => webhook_id),
      hosts: countBy(active, ({ host }) => host),
      channels: countBy(active, channelRoom),
      slow: [...slow],
    })
    isFull = fillsRoom([...active, ...claims])
    if (isFull && finished !== finishedBefore) wakeUp()
    if (claims.length === 0) return
    const bodies = await options.readBodies(claims)
    for (const claimed of claims) send(claimed, bodies.get(claimed.event_id))
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      wake = new AbortController()
      await round().catch(onError)
      await delay(everyMs, undefined, { signal: wake.signal }).catch(() => {})
    }
  }
  const running = run()

  return {
    async stop() {
      stopping.abort()
      await running
      await Promise.all(sending.keys())
      await recorder.settled()
    },
  }
}

async function deliver(
  { database, sealer, reach }: SenderOptions,
  recorder: Recorder,
  claimed: Claimed,
  body: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { url, event_id: id, sealed_secret, previous_secret } = claimed
  if (body === undefined) return recorder.add({ claimed, attempt: undefined })
  const secrets = [sealed_secret, ...(previous_secret ? [previous_secret] : [])].map(sealer.unseal)
  const result = await attempt({ url, id, body, secrets }, { ...reach, signal })
  // Without a result, it was broken off because this worker stops.
  if (result === undefined) await putBack(database.db, claimed)
  else recorder.add({ claimed, attempt: result })
}

/** Whether any of the limits is reached. */
function fillsRoom(sending: readonly Claimed[]): boolean {
  const webhooks = countBy(sending, ({ webhook_id }) => webhook_id)
  const healths = countBy(sending, ({ health }) => health)
  const hosts = countBy(sending, ({ host }) => host)
  const channels = countBy(sending, channelRoom)
  return sending.some(
    (claimed) =>
      (webhooks.get(claimed.webhook_id) ?? 0) >= room[claimed.health].each ||
      (healths.get(claimed.health) ?? 0) >= room[claimed.health].inAll ||
      (hosts.get(claimed.host) ?? 0) >= mostOfHost ||
      (channels.get(channelRoom(claimed)) ?? 0) >= mostOfChannel(claimed.health),
  )
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
