import { randomBytes } from 'node:crypto'
import { openDatabase } from '../packages/server/src/db/database.js'
import type { Connection } from '../packages/server/src/db/embedded/connection.js'
import { throughput } from './measure.js'
import type { Line } from './report.js'

interface WritesInput {
  readonly url: string
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
function fields() {
  count += 1
  return { title: `Bench ${count}`, keywords: ['bench'], source_id: `bench-${process.pid}-${count}` }
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

/**
 * Creates and updates videos over HTTP, in turns with a plain `insert` and `update` of the same fields, without HTTP, in a table
 * that has the same columns and no index but its primary key.
 */
export async function benchWrites({
  url,
  key,
  siteId,
  connection,
  seconds,
  add,
}: WritesInput): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const database = openDatabase({ connection, connections: atOnce })
  const { db } = database
  await db`drop table if exists plain_videos`
  await db`create table plain_videos (like videos including defaults including generated, primary key (site_id, _id))`
  await db`insert into plain_videos select * from videos where site_id = ${siteId} order by created_at desc limit 1000`
  const plainIds = (await db<{ _id: string }[]>`select _id from plain_videos`).map(({ _id }) => _id)
  const reply = await fetch(`${url}/videos?per_page=100`, { headers })
  const ids = ((await reply.json()) as { response: { _id: string }[] }).response.map(({ _id }) => _id)

  const [stored] = await db<{ record: string }[]>`select record::text from plain_videos limit 1`
  const record = stored?.record ?? '{}'

  const body = () => JSON.stringify({ video: fields() })
  const ways = {
    'plain insert': () =>
      repeated(seconds, () => {
        const { title, keywords, source_id } = fields()
        return db`
          insert into plain_videos (_id, site_id, title, keywords, source_id, friendly_title, record)
          values (${newId()}, ${siteId}, ${title}, ${keywords}, ${source_id}, ${title}, ${record})
        `
      }),
    create: () =>
      throughput({ url: `${url}/videos`, seconds, method: 'POST', headers, next: () => ({ body: body() }) }),
    'plain update': () =>
      repeated(seconds, () => {
        const { title, keywords, source_id } = fields()
        return db`
          update plain_videos set title = ${title}, keywords = ${keywords}, source_id = ${source_id}, record = ${record},
            updated_at = now()
          where site_id = ${siteId} and _id = ${plainIds[random(ids.length)] ?? ''}
        `
      }),
    update: () =>
      throughput({
        url,
        seconds,
        method: 'PUT',
        headers,
        next: () => ({ path: `/videos/${ids[random(ids.length)]}`, body: body() }),
      }),
  }
  const rates = new Map<string, number[]>()
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, measure] of Object.entries(ways))
      rates.set(name, [...(rates.get(name) ?? []), await measure()])
  const rateOf = (name: string) => mean(rates.get(name) ?? [])
  for (const [name, yardstick] of [
    ['plain insert', 'plain insert'],
    ['create', 'plain insert'],
    ['plain update', 'plain update'],
    ['update', 'plain update'],
  ] as const) {
    const target = name === yardstick ? {} : { target: '≥ 0.4' }
    const about = name === yardstick ? `${name}, without HTTP, in a table with only a primary key` : name
    add({
      group,
      name: about,
      value: rateOf(name),
      unit: '/s',
      ratio: rateOf(name) / rateOf(yardstick),
      ...target,
    })
  }
  await db`drop table plain_videos`
  await database.close()
}
