import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { startEmbeddedPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { migrate } from '../../packages/server/src/db/migrate.js'
import { migrateQueue } from '../../packages/server/src/queue/worker.js'
import { version } from '../../packages/server/src/version.js'
import { startOwnApi, type TestApi } from '../../test/support/api.js'
import { template, urlOf } from '../../test/support/postgres.js'

const rounds = Number(process.env.ROUNDS ?? 10)
const perRound = Number(process.env.WRITES ?? 400)
const atOnce = 8

const triggers = ['videos_history']

type Write = (method: string, path: string, fields: object) => Promise<string>

const writeTo =
  (api: TestApi): Write =>
  async (method, path, fields) => {
    const headers = { 'x-api-key': api.channel.keys.admin, 'content-type': 'application/json' }
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

async function round(write: Write) {
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

async function switchTriggers(db: TestApi['database']['db'], isOn: boolean): Promise<void> {
  for (const trigger of triggers)
    await db.unsafe(`alter table videos ${isOn ? 'enable' : 'disable'} trigger ${trigger}`)
}

/** Starts a PostgreSQL with the settings of an installation, for servers of this process. */
async function startDatabase() {
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
  return {
    async stop() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * What events cost: creates and updates videos through the API, in turns with and without the triggers that write
 * events, on one server and one PostgreSQL. Only alternating rounds in the same run can be compared: machines differ, and
 * so do their hours.
 */
export async function measureCost(): Promise<string> {
  const postgres = await startDatabase()
  const api = await startOwnApi()
  const { db } = api.database
  const write = writeTo(api)
  const found = {
    with: [] as Awaited<ReturnType<typeof round>>[],
    without: [] as Awaited<ReturnType<typeof round>>[],
  }
  await round(write)
  for (let number = 0; number < rounds; number += 1)
    for (const name of number % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      await switchTriggers(db, name === 'with')
      found[name].push(await round(write))
    }
  await api.stop()
  await postgres.stop()
  const rows = (['create', 'update'] as const).map((what) => {
    const [withEvents = 0, without = 1] = [found.with, found.without].map((each) =>
      median(each.map((one) => one[what])),
    )
    const cost = (withEvents / without - 1) * 100
    return `| ${what} | ${without.toFixed(3)} ms | ${withEvents.toFixed(3)} ms | ${cost.toFixed(1)} % |`
  })
  return [
    '## What events cost',
    '',
    `${rounds} rounds of ${perRound} writes, ${atOnce} at once, in turns with and without the triggers; medians, milliseconds`,
    'per write. Target: at most 15 % for each.',
    '',
    '| Write | Without events | With events | Cost |',
    '| --- | --: | --: | --: |',
    ...rows,
    '',
  ].join('\n')
}
