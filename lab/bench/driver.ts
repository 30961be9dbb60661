/**
 * Measures what a statement costs with the server's own database module (`pg`, pipelined, statements prepared), with `pg` one
 * statement at a time on a connection, and with postgres.js: statements in a second, and the processor time of this process and
 * of PostgreSQL for each. All take turns in one run. Needs only PostgreSQL. Writes bench/results/driver.md.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'pg'
import postgres from 'postgres'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { startEmbeddedPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { runRaw, sql } from '../../packages/server/src/db/fragment.js'
import { cpuSecondsOfPostgres } from '../processes.js'
import { madeOn, say } from '../report.js'

const { values: given } = parseArgs({
  options: { statements: { type: 'string', default: '5000' }, turns: { type: 'string', default: '5' } },
})
/** Of each turn. Before the first, as many are sent for nothing, so that the code is compiled. */
const statements = Number(given.statements)
const turns = Number(given.turns)
/** As many as the server has by default. */
const connections = 10
const rows = 10_000
const concurrencies = [1, 16, 64]

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
const dataFolder = join(folder, 'postgres')
const settings = { fsync: 'off', synchronous_commit: 'off' }
const server = await startEmbeddedPostgres({ folder: dataFolder, log: () => {}, settings })
const { host, port, database: name, username } = server.connection

const ours = openDatabase({ connection: server.connection, connections })
const session = { TimeZone: 'UTC', plan_cache_mode: 'force_generic_plan' }
const postgresJs = postgres({
  ...server.connection,
  max: connections,
  onnotice: () => {},
  connection: session,
})
const pool = new Pool({
  host,
  port,
  database: name,
  user: username,
  max: connections,
  options: '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan',
})

await ours.db.unsafe(`
  create table read (id integer primary key, name text, record text);
  insert into read select id, 'name ' || id, repeat('{"a":"bcdefgh"}', 130) from generate_series(1, ${rows}) as id;
  create table written (id bigserial primary key, name text, at timestamptz, flag boolean, listed text[]);
  analyze;
`)

const texts = {
  row: 'select id, name, record from read where id = $1',
  list: `select string_agg(record, ',') as records from (select record from read where id > $1 order by id limit 10) as page`,
  insert: 'insert into written (name, at, flag, listed) values ($1, $2, $3, $4) returning id',
}
const id = () => 1 + Math.floor(Math.random() * (rows - 10))
const row = (): [string, Date, boolean, string[]] => ['a name', new Date(), true, ['a', 'b']]

type Work = () => PromiseLike<unknown>
type Statements = Readonly<Record<'One row by its key' | 'A list of 10, 20 kB of text' | 'An insert', Work>>

const prepared = { prepare: true }
const ways: Readonly<Record<string, Statements>> = {
  'the server, on `pg`': {
    'One row by its key': () => ours.db`select id, name, record from read where id = ${id()}`,
    'A list of 10, 20 kB of text': () =>
      runRaw(
        ours.db,
        sql`select string_agg(record, ',') as records from (select record from read where id > ${id()} order by id limit 10) as page`,
      ),
    'An insert': () => {
      const [title, at, flag, listed] = row()
      return ours.db`insert into written (name, at, flag, listed) values (${title}, ${at}, ${flag}, ${listed}) returning id`
    },
  },
  '`pg` and its pool': {
    'One row by its key': () => pool.query({ name: 'row', text: texts.row, values: [id()] }),
    'A list of 10, 20 kB of text': () =>
      pool.query({ name: 'list', text: texts.list, values: [id()], rowMode: 'array' }),
    'An insert': () => pool.query({ name: 'insert', text: texts.insert, values: row() }),
  },
  'postgres.js': {
    'One row by its key': () => postgresJs.unsafe(texts.row, [id()], prepared),
    'A list of 10, 20 kB of text': () => postgresJs.unsafe(texts.list, [id()], prepared).raw(),
    'An insert': () => postgresJs.unsafe(texts.insert, row(), prepared),
  },
}

interface Cost {
  readonly rate: number
  /** Microseconds of processor time for one statement. */
  readonly here: number
  readonly there: number
}

async function measure(work: Work, atOnce: number): Promise<Cost> {
  const [cpu, cpuThere, begun] = [process.cpuUsage(), cpuSecondsOfPostgres(dataFolder), performance.now()]
  let left = statements
  const loop = async () => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  const { user, system } = process.cpuUsage(cpu)
  return {
    rate: (statements / (performance.now() - begun)) * 1000,
    here: (user + system) / statements,
    there: ((cpuSecondsOfPostgres(dataFolder) - cpuThere) * 1e6) / statements,
  }
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0

const rotated = <T>(list: readonly T[], by: number): T[] =>
  list.map((_, index) => list[(index + by) % list.length] as T)

const lines: string[] = []
for (const kind of Object.keys(ways['postgres.js'] ?? {}) as (keyof Statements)[])
  for (const atOnce of concurrencies) {
    const costs = new Map<string, Cost[]>()
    for (let turn = 0; turn <= turns; turn += 1)
      // Each begins in turn: the first after a pause pays for cold caches.
      for (const [way, works] of rotated(Object.entries(ways), turn)) {
        const cost = await measure(works[kind], atOnce)
        if (turn > 0) costs.set(way, [...(costs.get(way) ?? []), cost])
      }
    for (const [way, all] of costs) {
      const of = (what: keyof Cost) => Math.round(median(all.map((cost) => cost[what])))
      const numbers = [of('rate').toLocaleString('en'), of('here'), of('there'), of('here') + of('there')]
      lines.push(`| ${kind} | ${atOnce} | ${way} | ${numbers.join(' | ')} |`)
      say(lines.at(-1) ?? '')
    }
  }

await Promise.all([ours.close(), pool.end(), postgresJs.end()])
await server.stop()
await rm(folder, { recursive: true })
await writeFile(
  'bench/results/driver.md',
  `# What a statement costs, by driver

Made by \`npm run lab -- bench-driver\` (${madeOn()}). ${connections} connections each, statements prepared, ${turns} turns of
${statements.toLocaleString('en')} statements, medians. Processor time is what counts on a machine that others use too.

| Statement | At once | With | A second | µs here | µs in PostgreSQL | µs together |
| --- | --: | --- | --: | --: | --: | --: |
${lines.join('\n')}
`,
)
