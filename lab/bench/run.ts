/**
 * Seeds its own data, measures the real server beside a bare one in the same run, and writes bench/results/. With --dir
 * the data is kept and reused by the next run.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../packages/server/src/db/database.js'
import type { Connection } from '../../packages/server/src/db/embedded/connection.js'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import {
  cpuSecondsOf,
  cpuSecondsOfPostgres,
  freePort,
  memoryOf,
  type Running,
  startProgram,
  startZoetrope,
} from '../processes.js'
import { chart, madeOn, markdown, openReport, say } from '../report.js'
import { anew, type Load, latency, throughput, warmUp } from './measure.js'
import { seedVideos } from './seed.js'
import { benchWrites } from './writes.js'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '5000000' },
    seconds: { type: 'string', default: '8' },
    dir: { type: 'string' },
  },
})
const rows = Number(values.rows)
const seconds = Number(values.seconds)
const folder = resolve(values.dir ?? (await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))))
const results = resolve('bench/results')
const { lines, add } = openReport()

interface Credentials {
  readonly channel: { readonly _id: string }
  readonly keys: { readonly admin: string; readonly read_only: string }
}

const postgresFolder = join(folder, 'postgres')

async function seed({ channel }: Credentials): Promise<Connection> {
  const connection = await findRunningPostgres(postgresFolder)
  if (!connection) throw new Error('PostgreSQL is not running')
  const marker = join(folder, `seeded-${rows}`)
  if (existsSync(marker)) return connection
  const database = openDatabase({ connection, connections: 1 })
  say(`making ${rows.toLocaleString('en')} videos…`)
  await seedVideos(database, channel._id, rows, (done) => {
    if (done % Math.max(Math.round(rows / 10), 100_000) === 0) say(`${done.toLocaleString('en')} made`)
  })
  await database.close()
  await writeFile(marker, '')
  return connection
}

const random = (below: number) => Math.floor(Math.random() * below)
const mean = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length

/** Compares lists with a bare server. The two take turns, so that a noisy machine affects both alike. */
async function benchLists(server: Running, bare: Running, express: Running, key: string): Promise<void> {
  const list = `${server.url}/videos?api_key=${key}`
  const pages = Math.floor((rows * 0.98) / 10)
  const page = () => ({ path: `/videos?api_key=${key}&page=${random(pages)}&${anew()}` })
  const filter = () => ({ path: `/videos?api_key=${key}&series_id=series-${random(5000)}&${anew()}` })
  const contenders = [
    { name: 'bare node:http, the same bytes', pid: bare.pid, load: { url: bare.url } },
    { name: 'list, warm', pid: server.pid, load: { url: list }, target: '≥ 0.8' },
    {
      name: 'list, another page each time',
      pid: server.pid,
      load: { url: server.url, next: page },
      target: missed,
    },
    {
      name: 'list, another filter each time',
      pid: server.pid,
      load: { url: server.url, next: filter },
      target: missed,
    },
    { name: 'Express, one query each time', pid: express.pid, load: { url: `${express.url}/videos` } },
  ]
  for (const { load } of contenders) await warmUp(load)
  const turns = contenders.map((): Turn[] => [])
  for (let round = 0; round < 3; round += 1)
    for (const [index, { pid, load }] of contenders.entries()) turns[index]?.push(await turn(pid, load))
  const of = (index: number, what: keyof Turn) => mean((turns[index] ?? []).map((each) => each[what]))
  const group = 'A list of 10 records, requests per second'
  for (const [index, { name, target }] of contenders.entries())
    add({
      group,
      name,
      value: of(index, 'rate'),
      unit: '/s',
      ratio: of(index, 'rate') / of(0, 'rate'),
      ...(target ? { target } : {}),
    })
  for (const what of ['server', 'PostgreSQL'] as const)
    for (const [index, { name }] of contenders.entries())
      add({ group: `Processor time of the ${what} for one list`, name, value: of(index, what), unit: 'µs' })
}

const missed = rows > 1_000_000 ? '≥ 0.15' : '≥ 0.25'

/** Requests per second, and microseconds of processor time for each. */
interface Turn {
  readonly rate: number
  readonly server: number
  readonly PostgreSQL: number
}

async function turn(pid: number, load: Pick<Load, 'url' | 'next'>): Promise<Turn> {
  const before = [cpuSecondsOf(pid), cpuSecondsOfPostgres(postgresFolder)] as const
  const rate = await throughput({ ...load, seconds })
  const each = 1e6 / (rate * seconds)
  return {
    rate,
    server: (cpuSecondsOf(pid) - before[0]) * each,
    PostgreSQL: (cpuSecondsOfPostgres(postgresFolder) - before[1]) * each,
  }
}

async function benchPages(server: Running, key: string): Promise<void> {
  const headers = { 'x-api-key': key }
  const last = Math.ceil((rows * 0.98) / 10) - 1
  const group = `Deep pages at ${rows.toLocaleString('en')} videos, milliseconds (median)`
  const time = (query: string, times = 60) =>
    latency(times, () => `${server.url}/videos?${query}&${anew()}`, headers)
  /** What many records match is counted once: the first who asks waits for that. */
  const alone = async (group: string, name: string, query: string, yardstick: number) => {
    const begun = performance.now()
    const reply = await fetch(`${server.url}/videos?${query}&${anew()}`, { headers })
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${query} answered ${reply.status}`)
    const value = performance.now() - begun
    add({ group, name: `${name}, the first time`, value, unit: 'ms', ratio: value / yardstick })
  }
  const first = await time('page=0')
  add({ group, name: 'page 0', value: first.median, unit: 'ms', ratio: 1 })
  for (const page of [1000, 100_000, last].filter((each) => each <= last)) {
    const { median } = await time(`page=${page}`)
    const name =
      page === last ? `page ${page.toLocaleString('en')} (the last)` : `page ${page.toLocaleString('en')}`
    add({ group, name, value: median, unit: 'ms', ratio: median / first.median, target: '≤ 3' })
  }
  const searches = `Search and filters at ${rows.toLocaleString('en')} videos, milliseconds (median)`
  const rare = await time(`q=src-${random(rows)}`, 30)
  add({ group: searches, name: 'q= a word of one video', value: rare.median, unit: 'ms', ratio: 1 })
  for (const [name, query] of [
    ['q= two words of many', 'q=golden%20harbour'],
    ['q= a word of every 15th', 'q=lantern'],
  ] as const) {
    await alone(searches, name, query, rare.median)
    const { median } = await time(query, 10)
    add({
      group: searches,
      name,
      value: median,
      unit: 'ms',
      ratio: median / rare.median,
      target: '≤ 10, ≤ 50 ms',
    })
  }
  const filters = `${searches}, against page 0`
  for (const [name, query, times] of [
    ['featured=true (one in 20)', 'featured=true', 10],
    ['featured=false (most)', 'featured=false', 10],
    ['published_at.gte, sorted by it', 'published_at.gte=2025-01-01&sort=published_at&order=desc', 10],
    ['sorted by title', 'sort=title&order=asc', 10],
    ['sorted by title, page 100,000', 'sort=title&order=asc&page=100000', 5],
  ] as const) {
    if (name.endsWith('(most)')) await alone(filters, name, query, first.median)
    const { median } = await time(query, times)
    add({ group: filters, name, value: median, unit: 'ms', ratio: median / first.median, target: '≤ 5' })
  }
  const cursor = await cursorAt(server, headers, 'sort=title&order=asc&page=100000')
  if (cursor === undefined) return
  const { median } = await time(`sort=title&order=asc&cursor=${cursor}`, 30)
  const name = 'sorted by title, after page 100,000, with its next_cursor'
  add({ group: filters, name, value: median, unit: 'ms', ratio: median / first.median, target: '≤ 5' })
}

async function cursorAt(
  server: Running,
  headers: Record<string, string>,
  query: string,
): Promise<string | undefined> {
  const reply = await fetch(`${server.url}/videos?${query}`, { headers })
  const { pagination } = (await reply.json()) as { pagination: { next_cursor: string | null } }
  return pagination.next_cursor ?? undefined
}

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true })
  await mkdir(results, { recursive: true })
  let server = await startZoetrope(folder)
  const running: Running[] = []
  try {
    const credentials = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Credentials
    await seed(credentials)
    // The server notices directly inserted rows only after a restart.
    await server.stop()
    server = await startZoetrope(folder)
    // It is another process after the restart.
    const connection = await seed(credentials)
    const key = credentials.keys.admin
    const sample = join(folder, 'list.json')
    await writeFile(sample, await (await fetch(`${server.url}/videos?api_key=${key}`)).text())
    const program = async (name: string, path: string, ...args: string[]) => {
      const port = await freePort()
      const node = [
        '--import',
        './scripts/typescript.mjs',
        `lab/bench/servers/${name}.ts`,
        ...args,
        String(port),
      ]
      const started = await startProgram(node, port, path, join(folder, `${name}.log`), {
        NODE_ENV: 'production',
      })
      running.push(started)
      return started
    }
    const bare = await program('bare', '/', sample)
    const express = await program('express', '/videos', connection.host, credentials.channel._id)
    await benchLists(server, bare, express, key)
    await benchPages(server, key)
    const startPlain = () => program('insert', '/', connection.host, credentials.channel._id)
    await benchWrites({
      url: server.url,
      startPlain,
      key,
      siteId: credentials.channel._id,
      connection,
      seconds,
      add,
    })
    add({
      group: 'Memory',
      name: 'the server, after all of this',
      value: memoryOf(server.pid),
      unit: 'MB',
      target: '< 150',
    })
  } finally {
    for (const each of [server, ...running]) await each.stop()
    if (!values.dir) await rm(folder, { recursive: true, force: true })
  }
  const facts = [
    madeOn(),
    `${rows.toLocaleString('en')} videos in one channel; server, PostgreSQL, load and yardstick share the machine`,
    `\`npm run lab -- bench --rows ${rows} --seconds ${seconds}\``,
  ]
  await writeFile(join(results, 'latest.md'), markdown(lines, facts))
  await writeFile(join(results, 'latest.svg'), chart(lines))
  say('written to bench/results/')
}

await main()
