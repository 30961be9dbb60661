import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient, ZoetropeError } from '@zoetrope/sdk'
import postgres from 'postgres'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { checkAlive, kill, untilReady, type Victim } from './kills.js'
import { until } from './patience.js'
import type { Connection } from './postgres.js'
import { makeGround, readCredentials, startServer } from './server-process.js'
import { type Receiver, startReceiver } from './webhook-receiver.js'

type EventVictim = Exclude<Victim, 'ffmpeg'>
const victims: readonly EventVictim[] = ['worker', 'server', 'PostgreSQL']

export interface EventChaosOptions {
  readonly kills: number
  /** The number of concurrent writers, and how long each pauses between two records. */
  readonly writers: number
  readonly writersPauseMs?: number
  readonly random: () => number
  readonly report: (line: string) => void
}

export interface EventChaosResult {
  readonly kills: Readonly<Record<EventVictim, number>>
  /** Records that the client was told to create. It repeats each request until it has an answer. */
  readonly created: number
  /** How often a request had to be repeated by the caller, after the SDK had given up. */
  readonly repeated: number
  readonly events: number
  readonly deliveries: number
  /** What the client created and is missing, or is there more than once. */
  readonly wrongRecords: readonly string[]
  /** Events that the receiver did not get. */
  readonly lost: readonly string[]
  /** What the receiver got and is no event, or is another one than the stored. */
  readonly invented: readonly string[]
}

export interface Writing {
  readonly created: ReadonlyMap<string, string>
  readonly repeated: number
  stop(): Promise<void>
}

/** Creates and changes videos. Every write is repeated with its Idempotency-Key until it is answered. */
export function startWriting(client: Client, count: number, pauseMs = 0): Writing {
  let isStopped = false
  let number = 0
  const state = {
    created: new Map<string, string>(),
    repeated: 0,
    async stop() {
      isStopped = true
      await running
    },
  }
  const insist = async <T>(write: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        return await write()
      } catch (error) {
        const isWrong = error instanceof ZoetropeError && [403, 404, 422].includes(error.status ?? 0)
        if (isWrong) throw error
        state.repeated += 1
        await delay(50)
      }
  }
  const write = async () => {
    while (!isStopped) {
      number += 1
      const source_id = `chaos-${number}`
      const keyOf = (what: string) => ({ idempotencyKey: `${what}-${source_id}` })
      const fields = { title: `Video ${source_id}`, source_id }
      const { _id } = await insist(() => client.videos.create(fields, keyOf('create')))
      state.created.set(source_id, _id)
      await insist(() => client.videos.update(_id, { title: `Changed ${source_id}` }, keyOf('update')))
      await delay(pauseMs)
    }
  }
  const running = Promise.all(Array.from({ length: count }, write))
  return state
}

/** Kills server, worker and PostgreSQL repeatedly while videos are written, and compares what a webhook received. */
export async function runEventChaos(options: EventChaosOptions): Promise<EventChaosResult> {
  const { kills, random, report } = options
  const { env, remove } = await makeGround()
  const settings = { ...env, LOG_LEVEL: 'warn', WEBHOOK_NETWORKS: 'loopback' }
  const receiver = await startReceiver()
  let server = await startServer(settings)
  const done = { worker: 0, server: 0, PostgreSQL: 0 }
  const sum = () => Object.values(done).reduce((all, each) => all + each, 0)
  try {
    const { keys } = await readCredentials(env)
    const client = createClient({ url: server.url, apiKey: keys.admin, retries: 4 })
    await client.webhooks.create({ url: receiver.url, events: ['video.*'] })
    const writing = startWriting(client, options.writers, options.writersPauseMs)
    for (let tries = 0; sum() < kills; tries += 1) {
      await untilReady(server.url)
      await checkAlive(server)
      const [before, receivedBefore] = [writing.created.size, receiver.received.length]
      await until('a new record', () => writing.created.size > before)
      // A worker that is killed as soon as it starts sends nothing, and then there would be nothing to lose.
      if (tries % 2 === 1) await until('a delivery', () => receiver.received.length > receivedBefore)
      await delay(random() * 1000)
      // Every kind of victim is killed once before any is killed again.
      const victim =
        victims[tries < victims.length ? tries : Math.floor(random() * victims.length)] ?? 'worker'
      const outcome = await kill(victim, server, settings, random)
      server = outcome.server
      if (!outcome.isDone) continue
      done[victim] += 1
      report(
        `${sum()}. ${victim} killed; ${writing.created.size} records, ${receiver.received.length} deliveries`,
      )
    }
    await untilReady(server.url)
    await writing.stop()
    const connection = await until('PostgreSQL', () => findRunningPostgres(join(env.DATA_DIR, 'postgres')))
    return { kills: done, ...(await auditEvents(connection, writing, receiver)) }
  } finally {
    await server.stop()
    await receiver.stop()
    await remove()
  }
}

interface StoredEvent {
  readonly _id: string
  readonly type: string
  readonly record_id: string
}

/** Waits until everything was delivered, and compares records, events and deliveries. */
export async function auditEvents(
  connection: Connection,
  { created, repeated }: Writing,
  { received }: Receiver,
): Promise<Omit<EventChaosResult, 'kills'>> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} })
  try {
    // What killed workers were sending need not wait for the end of its lease. Once only: the result of an attempt counts
    // while the delivery has the lease under which it was sent.
    await sql`update webhook_deliveries set next_attempt_at = now() where status = 'waiting' and next_attempt_at > now()`
    await until('the last delivery', async () => {
      const [queued] = await sql`select from event_queue limit 1`
      return !queued && (await isAllDelivered(sql))
    })
    const videos = await sql<{ source_id: string; _id: string }[]>`select source_id, _id from videos`
    const events = await sql<StoredEvent[]>`select _id, type, record_id from events where type like 'video.%'`
    return {
      created: created.size,
      repeated,
      events: events.length,
      deliveries: received.length,
      wrongRecords: wrongRecords(created, videos, events),
      ...compared(events, received),
    }
  } finally {
    await sql.end()
  }
}

async function isAllDelivered(sql: postgres.Sql): Promise<boolean> {
  const [waiting] = await sql`select from webhook_deliveries where status <> 'delivered' limit 1`
  return waiting === undefined
}

/** Every record exists once, with one event of its creation and one of its change. */
function wrongRecords(
  created: ReadonlyMap<string, string>,
  videos: readonly { readonly source_id: string; readonly _id: string }[],
  events: readonly StoredEvent[],
): readonly string[] {
  const isEvent = new Map<string, number>()
  for (const { type, record_id } of events) {
    const name = `${type} ${record_id}`
    isEvent.set(name, (isEvent.get(name) ?? 0) + 1)
  }
  const there = new Map(videos.map(({ source_id, _id }) => [source_id, _id]))
  const missing = [...created].filter(
    ([source_id, id]) =>
      there.get(source_id) !== id ||
      ['video.created', 'video.updated'].some((type) => isEvent.get(`${type} ${id}`) !== 1),
  )
  const extra = videos.length === created.size ? [] : [`${videos.length} rows of ${created.size} records`]
  return [...missing.map(([source_id]) => source_id), ...extra]
}

function compared(events: readonly StoredEvent[], received: Receiver['received']) {
  const stored = new Map(events.map((event) => [event._id, event]))
  const got = new Set(received.map(({ id }) => id))
  const invented = received.filter(({ id, event }) => {
    const known = stored.get(id)
    return !known || event._id !== id || event.type !== known.type || event.record_id !== known.record_id
  })
  return {
    lost: events.filter(({ _id }) => !got.has(_id)).map(({ _id }) => _id),
    invented: invented.map(({ id }) => id),
  }
}
