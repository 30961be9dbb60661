/**
 * npm run bench:events
 * Part 1: what events cost. Creates and updates videos through the API, in turns with and without the triggers that
 * write events, on one server and one PostgreSQL with the settings of an installation. Only alternating rounds in the
 * same run can be compared: machines differ, and so do their hours.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../packages/server/src/db/database.js'
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded-postgres.js'
import { migrate } from '../packages/server/src/db/migrate.js'
import { migrateQueue } from '../packages/server/src/queue/worker.js'
import { version } from '../packages/server/src/version.js'
import { startOwnApi } from '../test/support/api.js'
import { template, urlOf } from '../test/support/postgres.js'

const rounds = Number(process.env.ROUNDS ?? 10)
const perRound = Number(process.env.WRITES ?? 400)
const atOnce = 8

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log: () => {} })
const connection = { ...postgres.connection, database: template }
const admin = openDatabase({ connection: postgres.connection, connections: 1 })
await admin.db.unsafe(`create database ${template}`)
await admin.close()
const database = openDatabase({ connection, connections: 2 })
await migrate(database, version)
await migrateQueue(urlOf(connection))
await database.close()
process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)

const api = await startOwnApi()
const headers = { 'x-api-key': api.channel.keys.admin, 'content-type': 'application/json' }

async function write(method: string, path: string, fields: object): Promise<string> {
  const reply = await fetch(api.url + path, { method, headers, body: JSON.stringify({ video: fields }) })
  const { response } = (await reply.json()) as { response: { _id: string } }
  return response._id
}

const described = (number: number) => ({
  title: `The Horse in Motion ${number}`,
  description: 'Twelve photographs of a horse at a gallop, taken in a fraction of a second. '.repeat(6),
  keywords: ['horse', 'motion', 'history'],
  genre: 'Documentary',
  custom_attributes: { agency: 'north', code: number },
})

/** Milliseconds per write. */
async function timed(work: (number: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const begun = performance.now()
  const loop = async () => {
    while (next < perRound) {
      next += 1
      await work(next)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  return (performance.now() - begun) / perRound
}

async function round() {
  const ids: string[] = []
  const create = await timed(async (number) => ids.push(await write('POST', '/videos', described(number))))
  const update = await timed((number) =>
    write('PUT', `/videos/${ids[number % ids.length]}`, {
      description: `Changed ${number} ${Math.random()}`,
    }),
  )
  return { create, update }
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const { db } = api.database
const found = {
  with: [] as Awaited<ReturnType<typeof round>>[],
  without: [] as Awaited<ReturnType<typeof round>>[],
}
await round()
for (let number = 0; number < rounds; number += 1)
  for (const name of number % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
    for (const trigger of [
      'videos_event',
      'videos_event_playable',
      'videos_event_complete',
      'videos_event_failed',
    ])
      await db.unsafe(`alter table videos ${name === 'with' ? 'enable' : 'disable'} trigger ${trigger}`)
    found[name].push(await round())
  }
await db`alter table videos enable trigger user`
await api.stop()
await postgres.stop()
await rm(folder, { recursive: true, force: true })

const results = (['create', 'update'] as const).map((what) => {
  const [withEvents, without] = [found.with, found.without].map((each) =>
    median(each.map((one) => one[what])),
  )
  const cost = ((withEvents ?? 0) / (without ?? 1) - 1) * 100
  return { what, withEvents: withEvents ?? 0, without: without ?? 0, cost }
})
const lines = results.map(
  ({ what, withEvents, without, cost }) =>
    `| ${what} | ${without.toFixed(3)} ms | ${withEvents.toFixed(3)} ms | ${cost.toFixed(1)} % |`,
)
const text = `| Write | Without events | With events | Cost |\n| --- | --: | --: | --: |\n${lines.join('\n')}\n`
console.log(text)
await writeFile(
  new URL('results/events.md', import.meta.url),
  `# What events cost\n\n${rounds} rounds of ${perRound} writes, ${atOnce} at once; medians, milliseconds per write.\n\n${text}`,
)
process.exit(0)
