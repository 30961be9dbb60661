import { randomBytes } from 'node:crypto'
import { type Db, openDatabase } from '../../packages/server/src/db/database.js'
import type { Connection } from '../../packages/server/src/db/embedded/connection.js'
import type { Running } from '../processes.js'
import type { Line } from '../report.js'
import { throughput, warmUp } from './measure.js'

interface WritesInput {
  readonly url: string
  /** Starts a server that does the plain writes and nothing else (servers/insert.ts). */
  readonly startPlain: () => Promise<Running>
  readonly key: string
  readonly siteId: string
  readonly connection: Connection
  readonly seconds: number
  readonly add: (line: Line) => void
}

const atOnce = 16
const turns = 3
const group = 'Writes, 16 at once, per second'
const random = (below: number) => Math.floor(Math.random() * below)
const mean = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length

let count = 0
/** A title that was used in an earlier run on the same data would cost another statement. */
const run = Date.now().toString(36)
function fields() {
  count += 1
  return { title: `Bench ${run} ${count}`, keywords: ['bench'], source_id: `bench-${process.pid}-${count}` }
}
const newId = () => randomBytes(12).toString('hex')

/** Repeats a statement over all connections for some seconds, each time in a transaction of its own. */
async function repeated(seconds: number, statement: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() - begun < seconds * 1000) {
        await statement()
        done += 1
      }
    }),
  )
  return (done * 1000) / (performance.now() - begun)
}

/** A table with the columns of videos, a thousand of them, and no index but its primary key. Returns their ids. */
async function makePlainTable(db: Db, siteId: string): Promise<string[]> {
  await db`drop table if exists plain_videos`
  await db`create table plain_videos (like videos including defaults including generated, primary key (site_id, _id))`
  await db`insert into plain_videos select * from videos where site_id = ${siteId} order by created_at desc limit 1000`
  return (await db<{ _id: string }[]>`select _id from plain_videos`).map(({ _id }) => _id)
}

/** The plain writes of the same fields, without HTTP. */
async function plainWrites(db: Db, siteId: string, ids: readonly string[]) {
  const [stored] = await db<{ record: string }[]>`select record::text from plain_videos limit 1`
  const record = stored?.record ?? '{}'
  return {
    insert() {
      const { title, keywords, source_id } = fields()
      return db`
        insert into plain_videos (_id, site_id, title, keywords, source_id, friendly_title, record)
        values (${newId()}, ${siteId}, ${title}, ${keywords}, ${source_id}, ${title}, ${record})
      `
    },
    update() {
      const { title, keywords, source_id } = fields()
      return db`
        update plain_videos set title = ${title}, keywords = ${keywords}, source_id = ${source_id}, record = ${record},
          updated_at = now()
        where site_id = ${siteId} and _id = ${ids[random(ids.length)] ?? ''}
      `
    },
  }
}

/** The ids of a hundred videos. */
export async function newestIds(url: string, headers: Record<string, string>): Promise<string[]> {
  const reply = await fetch(`${url}/videos?per_page=100`, { headers })
  return ((await reply.json()) as { response: { _id: string }[] }).response.map(({ _id }) => _id)
}

const body = () => JSON.stringify({ video: fields() })
export const createBy = (url: string, headers: Record<string, string>) => ({
  url: `${url}/videos`,
  method: 'POST' as const,
  headers,
  next: () => ({ body: body() }),
})
export const updateBy = (url: string, headers: Record<string, string>, ids: readonly string[]) => ({
  url,
  method: 'PUT' as const,
  headers,
  next: () => ({ path: `/videos/${ids[random(ids.length)]}`, body: body() }),
})

/**
 * Creates and updates videos over HTTP, in turns with a plain `insert` and `update` of the same fields in a table that has the same
 * columns and no index but its primary key: without HTTP, and behind a bare `node:http` server.
 */
export async function benchWrites(input: WritesInput): Promise<void> {
  const { url, key, siteId, seconds, add } = input
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const database = openDatabase({ connection: input.connection, connections: atOnce })
  const plainIds = await makePlainTable(database.db, siteId)
  const plain = await plainWrites(database.db, siteId, plainIds)
  const bare = await input.startPlain()
  const ids = await newestIds(url, headers)

  const loads = {
    'plain insert behind bare node:http': createBy(bare.url, headers),
    create: createBy(url, headers),
    'plain update behind bare node:http': updateBy(bare.url, headers, plainIds),
    update: updateBy(url, headers, ids),
  }
  for (const load of Object.values(loads)) await warmUp(load)
  for (const write of Object.values(plain)) await repeated(seconds, write)
  const measured = Object.entries(loads).map(
    ([name, load]) => [name, () => throughput({ ...load, seconds })] as const,
  )
  const ways = new Map<string, () => Promise<number>>([
    ['plain insert', () => repeated(seconds, plain.insert)],
    ['plain update', () => repeated(seconds, plain.update)],
    ...measured,
  ])
  const rates = new Map<string, number[]>()
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, measure] of ways) rates.set(name, [...(rates.get(name) ?? []), await measure()])
  const rateOf = (name: string) => mean(rates.get(name) ?? [])
  for (const [plainName, ours] of [
    ['plain insert', 'create'],
    ['plain update', 'update'],
  ] as const) {
    const most = rateOf(plainName)
    const line = (name: string, value: number) => ({ group, name, value, unit: '/s', ratio: value / most })
    add(line(`${plainName}, without HTTP, in a table with only a primary key`, most))
    add(line('the same behind bare node:http', rateOf(`${plainName} behind bare node:http`)))
    add({ ...line(ours, rateOf(ours)), target: '≥ 0.4' })
  }
  await database.db`drop table plain_videos`
  await database.close()
}
