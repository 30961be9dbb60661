/**
 * Measures the cost of row-level security on a list: the same page read plainly, and read by a role under a policy with
 * the channel set in the transaction. Needs only PostgreSQL; creates 100,000 videos and deletes them.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createChannel } from '../../packages/server/src/auth/channels.js'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { startEmbeddedPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { migrate } from '../../packages/server/src/db/migrate.js'
import { createSealer } from '../../packages/server/src/lib/sealing.js'
import { version } from '../../packages/server/src/version.js'
import { seedVideos } from './seed.js'

const seconds = 4
const atOnce = 16
const rounds = 3

async function rate(work: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + seconds * 1000
  let count = 0
  const loop = async () => {
    while (performance.now() < end) {
      await work()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  return count / seconds
}

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
const server = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log: () => {} })
const database = openDatabase({ connection: server.connection, connections: 1 })
await migrate(database, version)
const { channel } = await database.transaction((tx) =>
  createChannel(tx, createSealer('for the bench only'), 'Bench'),
)
await seedVideos(database, channel._id, 100_000, () => {})
await database.db.unsafe(`
  create role tenant login;
  grant select on all tables in schema public to tenant;
  alter table videos enable row level security;
  create policy own_channel on videos using (site_id = current_setting('zoetrope.site_id'));
`)
await database.close()

const page = (sql: postgres.ISql, offset: number) => sql`
  select string_agg(record, ',') as records from (
    select record from videos
    where site_id = ${channel._id} and deleted_at is null and active
    order by created_at desc, _id desc offset ${offset} limit 10
  ) as page
`
// Plans statements once, as the server does.
const connection = { plan_cache_mode: 'force_generic_plan' }
const owner = postgres({ ...server.connection, max: 10, connection })
const tenant = postgres({ ...server.connection, username: 'tenant', max: 10, connection })
const offset = () => Math.floor(Math.random() * 20)
const ways = {
  plain: () => page(owner, offset()),
  'a transaction alone': () => owner.begin((tx) => page(tx, offset())),
  'a transaction, the channel set in it, a policy': () =>
    tenant.begin(async (tx) => {
      const [, rows] = await Promise.all([
        tx`select set_config('zoetrope.site_id', ${channel._id}, true)`,
        page(tx, offset()),
      ])
      return rows
    }),
}
const sums = new Map<string, number>()
for (let round = 0; round < rounds; round += 1)
  for (const [name, work] of Object.entries(ways))
    sums.set(name, (sums.get(name) ?? 0) + (await rate(work)) / rounds)
await owner.end()
await tenant.end()
await server.stop()
await rm(folder, { recursive: true, force: true })

const plain = sums.get('plain') ?? 1
const table = [
  '| The same page of 10 of 100,000 videos, 16 at once | lists/s | ratio |',
  '|---|--:|--:|',
  ...[...sums].map(([name, value]) => `| ${name} | ${Math.round(value)} | ${(value / plain).toFixed(2)} |`),
]
await writeFile(
  'bench/results/row-security.md',
  `${new Date().toISOString().slice(0, 10)}, \`npm run lab -- bench-row-security\`\n\n${table.join('\n')}\n`,
)
console.log(table.join('\n'))
