/**
 * npm run bench [-- --rows 5000000 --seconds 8 --dir folder]
 * Seeds its own data, measures the real server beside a bare one in the same run, and writes bench/results/. With --dir
 * the data is kept and reused by the next run.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../packages/server/src/db/database.js'
import { findRunningPostgres } from '../packages/server/src/db/embedded/embedded-postgres.js'
import { latency, throughput } from './measure.js'
import { freePort, memoryOf, type Running, startProgram, startZoetrope } from './processes.js'
import { chart, machine, markdown, openReport, say } from './report.js'
import { seedVideos } from './seed.js'

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

async function seed({ channel }: Credentials): Promise<string> {
  const connection = await findRunningPostgres(join(folder, 'postgres'))
  if (!connection) throw new Error('PostgreSQL is not running')
  const marker = join(folder, `seeded-${rows}`)
  if (existsSync(marker)) return connection.host
  const database = openDatabase({ connection, connections: 1 })
  say(`making ${rows.toLocaleString('en')} videos…`)
  await seedVideos(database, channel._id, rows, (done) => {
    if (done % Math.max(Math.round(rows / 10), 100_000) === 0) say(`${done.toLocaleString('en')} made`)
  })
  await database.close()
  await writeFile(marker, '')
  return connection.host
}

const random = (below: number) => Math.floor(Math.random() * below)
const mean = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length

/** Compares lists with a bare server. The two take turns, so that a noisy machine affects both alike. */
async function benchLists(server: Running, bare: Running, express: Running, key: string): Promise<void> {
  const list = `${server.url}/videos?api_key=${key}`
  const pages = Math.floor((rows * 0.98) / 10)
  await throughput({ url: list, seconds: 3 })
  const rounds = {
    bare: [] as number[],
    warm: [] as number[],
    pages: [] as number[],
    filters: [] as number[],
  }
  for (let round = 0; round < 3; round += 1) {
    rounds.bare.push(await throughput({ url: bare.url, seconds }))
    rounds.warm.push(await throughput({ url: list, seconds }))
    const page = () => ({ path: `/videos?api_key=${key}&page=${random(pages)}` })
    rounds.pages.push(await throughput({ url: server.url, seconds, next: page }))
    const filter = () => ({
      path: `/videos?api_key=${key}&series_id=series-${random(5000)}`,
    })
    rounds.filters.push(await throughput({ url: server.url, seconds, next: filter }))
  }
  const yard = mean(rounds.bare)
  const group = 'A list of 10 records, requests per second'
  const rate = (name: string, value: number, target?: string) =>
    add({ group, name, value, unit: '/s', ratio: value / yard, ...(target ? { target } : {}) })
  rate('bare node:http, the same bytes', yard)
  rate('list, warm', mean(rounds.warm), '≥ 0.6')
  rate('list, another page each time', mean(rounds.pages), '≥ 0.2')
  rate('list, another filter each time', mean(rounds.filters), '≥ 0.2')
  rate('Express, one query each time', await throughput({ url: `${express.url}/videos`, seconds }))
}

/** An unknown parameter makes each address unique, so that no response is cached. */
async function benchPages(server: Running, key: string): Promise<void> {
  const headers = { 'x-api-key': key }
  const last = Math.ceil((rows * 0.98) / 10) - 1
  const group = `Deep pages at ${rows.toLocaleString('en')} videos, milliseconds (median)`
  const time = (query: string, times = 60) =>
    latency(times, (index) => `${server.url}/videos?${query}&new=${Date.now()}-${index}`, headers)
  const first = await time('page=0')
  add({ group, name: 'page 0', value: first.median, unit: 'ms', ratio: 1 })
  for (const page of [1000, 100_000, last].filter((each) => each <= last)) {
    const { median } = await time(`page=${page}`)
    const name =
      page === last ? `page ${page.toLocaleString('en')} (the last)` : `page ${page.toLocaleString('en')}`
    add({ group, name, value: median, unit: 'ms', ratio: median / first.median, target: '≤ 3' })
  }
  const searches = `Search and filters at ${rows.toLocaleString('en')} videos, milliseconds (median)`
  const asked: [string, string, number][] = [
    ['q= a word of one video', `q=src-${random(rows)}`, 30],
    ['q= two words of many', 'q=golden%20harbour', 10],
    ['q= a word of every 15th', 'q=lantern', 10],
    ['featured=true (one in 20)', 'featured=true', 10],
    ['featured=false (most)', 'featured=false', 10],
    ['published_at.gte, sorted by it', 'published_at.gte=2025-01-01&sort=published_at&order=desc', 10],
    ['sorted by title', 'sort=title&order=asc', 10],
    ['sorted by title, page 100,000', 'sort=title&order=asc&page=100000', 5],
  ]
  for (const [name, query, times] of asked)
    add({ group: searches, name, value: (await time(query, times)).median, unit: 'ms' })
}

async function benchWrites(server: Running, key: string): Promise<void> {
  const group = 'Writes, 16 at once, per second'
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  let count = 0
  const body = () => {
    count += 1
    return JSON.stringify({
      video: { title: `Bench ${count}`, keywords: ['bench'], source_id: `bench-${count}` },
    })
  }
  const url = `${server.url}/videos`
  add({
    group,
    name: 'create',
    value: await throughput({ url, seconds, method: 'POST', headers, next: () => ({ body: body() }) }),
    unit: '/s',
  })
  const reply = await fetch(`${url}?per_page=100`, { headers })
  const ids = ((await reply.json()) as { response: { _id: string }[] }).response.map(({ _id }) => _id)
  const next = () => ({ path: `/videos/${ids[random(ids.length)]}`, body: body() })
  add({
    group,
    name: 'update',
    value: await throughput({ url: server.url, seconds, method: 'PUT', headers, next }),
    unit: '/s',
  })
}

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true })
  await mkdir(results, { recursive: true })
  let server = await startZoetrope(folder)
  const running: Running[] = []
  try {
    const credentials = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Credentials
    const host = await seed(credentials)
    // The server notices directly inserted rows only after a restart.
    await server.stop()
    server = await startZoetrope(folder)
    const key = credentials.keys.admin
    const sample = join(folder, 'list.json')
    await writeFile(sample, await (await fetch(`${server.url}/videos?api_key=${key}`)).text())
    const program = async (name: string, path: string, ...args: string[]) => {
      const port = await freePort()
      const node = ['--import', './scripts/typescript.mjs', `bench/servers/${name}.ts`, ...args, String(port)]
      const started = await startProgram(node, port, path, join(folder, `${name}.log`), {
        NODE_ENV: 'production',
      })
      running.push(started)
      return started
    }
    const bare = await program('bare', '/', sample)
    const express = await program('express', '/videos', host, credentials.channel._id)
    await benchLists(server, bare, express, key)
    await benchPages(server, key)
    await benchWrites(server, key)
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
    `${new Date().toISOString().slice(0, 10)}; ${machine}`,
    `${rows.toLocaleString('en')} videos in one channel; server, PostgreSQL, load and yardstick share the machine`,
    `\`npm run bench -- --rows ${rows} --seconds ${seconds}\``,
  ]
  await writeFile(join(results, 'latest.md'), markdown(lines, facts))
  await writeFile(join(results, 'latest.svg'), chart(lines))
  say('written to bench/results/')
}

await main()
