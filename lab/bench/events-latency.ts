import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@zoetrope/sdk'
import postgres from 'postgres'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { until } from '../../test/support/patience.js'
import { makeGround, readCredentials, startServer } from '../../test/support/server-process.js'
import { type Receiver, startReceiver } from '../../test/support/webhook-receiver.js'

const seconds = Number(process.env.SECONDS ?? 30)
/** Events per second for one receiver, and beside a hundred dead ones: there each event has a hundred deliveries more. */
const rate = Number(process.env.RATE ?? 200)
const rateBesideDead = Number(process.env.DEAD_RATE ?? 20)
const deadReceivers = 100
const recordCount = 50

interface Percentiles {
  readonly p50: number
  readonly p99: number
  readonly most: number
}

function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99), most: at(1) }
}

interface Target {
  readonly url: string
  readonly key: string
  readonly ids: readonly string[]
}

/**
 * Ad tags, because changing one costs little and leaves the processor to what is measured. Without an Idempotency-Key: few
 * writes with one run at the same time.
 */
async function update({ url, key, ids }: Target, number: number): Promise<void> {
  const reply = await fetch(`${url}/ad_tags/${ids[number % ids.length]}`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ ad_tag: { name: `${number} ${Math.random()}` } }),
  })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
}

/** Changes records at a constant rate, however long the answers take. Resolves once every event has arrived. */
async function latencies(target: Target, receiver: Receiver, perSecond: number): Promise<Percentiles> {
  const before = receiver.received.length
  const count = perSecond * seconds
  const begun = performance.now()
  const writes: Promise<void>[] = []
  for (let number = 0; number < count; number += 1) {
    await delay(Math.max(0, begun + (number * 1000) / perSecond - performance.now()))
    writes.push(update(target, number))
  }
  await Promise.all(writes)
  const firsts = () => {
    const seen = new Set<string>()
    return receiver.received.slice(before).filter(({ id }) => seen.size < seen.add(id).size)
  }
  await until('all events', () => firsts().length >= count)
  return percentilesOf(firsts().map(({ at, event }) => at - Date.parse(String(event.created_at))))
}

/** Accepts connections at every loopback address, and never answers. */
async function startDead(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => void socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return { server, port: (server.address() as { port: number }).port }
}

/** Nothing listens there, so connections are refused. */
const refusingPort = 1025

/** Adds webhooks that never answer, each on a host of its own, and every fifth refuses connections. */
async function addDead(folder: string, port: number, liveId: string): Promise<void> {
  const connection = await findRunningPostgres(join(folder, 'postgres'))
  if (!connection) throw new Error('PostgreSQL does not run')
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} })
  await sql`
    insert into webhooks (_id, site_id, url, events, sealed_secret)
    select lpad(to_hex(number), 24, '0'), site_id,
      'http://127.0.1.' || number || ':' || case when number % 5 = 0 then ${refusingPort}::integer else ${port}::integer end,
      events, sealed_secret
    from webhooks cross join generate_series(1, ${deadReceivers}::integer) as number where _id = ${liveId}
  `
  await sql.end()
}

const row = (what: string, { p50, p99, most }: Percentiles) =>
  `| ${what} | ${p50.toFixed(0)} ms | ${p99.toFixed(0)} ms | ${most.toFixed(0)} ms |`

/**
 * The time from an event to the first attempt of its delivery, alone and beside receivers that never answer. Returns a table,
 * without the first row if only dead receivers matter.
 */
export async function measureLatency(onlyDead = false): Promise<string> {
  const { env, remove } = await makeGround()
  const server = await startServer({ ...env, LOG_LEVEL: 'warn', WEBHOOK_NETWORKS: 'loopback' })
  const [receiver, dead] = [await startReceiver(), await startDead()]
  try {
    const { keys } = await readCredentials(env)
    const client = createClient({ url: server.url, apiKey: keys.admin })
    const webhook = await client.webhooks.create({ url: receiver.url, events: ['ad_tag.updated'] })
    const ids: string[] = []
    for (let number = 0; number < recordCount; number += 1)
      ids.push((await client.ad_tags.create({ name: `Tag ${number}`, tag: 'https://ads.example/vast' }))._id)
    const target = { url: server.url, key: keys.admin, ids }
    await latencies(target, receiver, rateBesideDead)
    const alone = onlyDead ? [] : [row(`${rate} events per second`, await latencies(target, receiver, rate))]
    const quiet = await latencies(target, receiver, rateBesideDead)
    await addDead(env.DATA_DIR, dead.port, webhook._id)
    const beside = await latencies(target, receiver, rateBesideDead)
    const ratio = (beside.p99 / quiet.p99).toFixed(2)
    return [
      '## From the change to the first attempt',
      '',
      `${seconds} seconds each, one worker, on the same machine: from the time in the event, which is before the commit, to the`,
      'arrival of the request at the receiver. Targets: p50 at most 50 ms and p99 at most 1 s at 200 events per second; dead',
      'receivers less than double the p99 of a live one.',
      '',
      '| | p50 | p99 | longest |',
      '| --- | --: | --: | --: |',
      ...alone,
      row(`${rateBesideDead} events per second`, quiet),
      row(
        `${rateBesideDead} events per second, beside ${deadReceivers} dead receivers of the same events`,
        beside,
      ),
      '',
      `Dead receivers change the p99 by a factor of ${ratio}.`,
      '',
    ].join('\n')
  } finally {
    await server.stop()
    await receiver.stop()
    dead.server.close()
    await remove()
  }
}
