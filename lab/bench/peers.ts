/**
 * Installs Directus and Strapi into a folder of their own, gives each the same videos in the same PostgreSQL, and measures
 * the same requests, taking turns with ours. Writes bench/results/peers.md and peers.svg. With --dir everything is kept
 * and used again by the next run.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '../../packages/server/src/db/database.js'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { urlOf } from '../../test/support/postgres.js'
import { cpuSecondsOf, memoryOf, type Running, startZoetrope } from '../processes.js'
import { chart, type Line, madeOn, markdown, openReport, say } from '../report.js'
import { throughput } from './measure.js'
import type { Ask, Asks, Contender } from './peers/contender.js'
import { type PeerPlace, prepareDirectus } from './peers/directus.js'
import { videosOf } from './peers/rows.js'
import { prepareStrapi } from './peers/strapi.js'
import { benchTokens } from './peers/tokens.js'
import { benchUploads } from './peers/uploads.js'
import { zoetrope } from './peers/zoetrope.js'
import { seedVideos, unhurried } from './seed.js'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '8' },
    megabytes: { type: 'string', default: '1024' },
    dir: { type: 'string' },
  },
})
const rows = Number(values.rows)
const seconds = Number(values.seconds)
const turns = 3
const folder = resolve(values.dir ?? (await mkdtemp(join(tmpdir(), 'zoetrope-peers-'))))
const ours = join(folder, 'zoetrope')
const results = resolve('bench/results')
const { lines, add } = openReport()

interface Credentials {
  readonly channel: { readonly _id: string }
  readonly keys: { readonly admin: string }
  readonly app: { readonly client_id: string; readonly client_secret: string }
}

const databases: Database[] = []

/** Opens a database in the PostgreSQL of our server, and makes it if there is none. */
async function openIn(name?: string) {
  const connection = await findRunningPostgres(join(ours, 'postgres'))
  if (!connection) throw new Error('PostgreSQL is not running')
  const named = name ? { ...connection, database: name } : connection
  if (name) {
    const database = openDatabase({ connection, connections: 1 })
    const [found] = await database.db`select from pg_database where datname = ${name}`
    if (!found) await database.db.unsafe(`create database ${name}`)
    await database.close()
  }
  const database = openDatabase({ connection: named, connections: 1 })
  await unhurried(database.db)
  databases.push(database)
  return { database, url: urlOf(named), connection: named }
}

async function seedOurs({ channel }: Credentials): Promise<void> {
  const marker = join(ours, `seeded-${rows}`)
  if (existsSync(marker)) return
  say(`making ${rows.toLocaleString('en')} videos…`)
  const { database } = await openIn()
  await seedVideos(database, channel._id, rows, () => {})
  await writeFile(marker, '')
}

async function placeOf(name: string, siteId: string): Promise<PeerPlace> {
  const { database } = await openIn()
  const { database: theirs, url } = await openIn(name)
  const place = join(folder, name)
  await mkdir(place, { recursive: true })
  say(`preparing ${name}…`)
  return { folder: place, db: theirs.db, databaseUrl: url, rows, videos: () => videosOf(database.db, siteId) }
}

const kinds: readonly { readonly ask: keyof Asks; readonly group: string; readonly most?: number }[] = [
  { ask: 'list', group: 'A list of 10, with the number of all' },
  { ask: 'filtered', group: 'A list of 10 with a filter, another each time' },
  { ask: 'get', group: 'One record' },
  { ask: 'rare', group: 'Search for a word of one video' },
  { ask: 'common', group: 'Search for a word of every 15th video, the same 20 pages' },
  { ask: 'create', group: 'Create a record with 23 fields' },
  { ask: 'update', group: 'Update two fields of a record' },
]

const methodOf = (ask: keyof Asks, { updates }: Contender) =>
  ask === 'create' ? 'POST' : ask === 'update' ? updates : 'GET'

/** Makes sure that a contender does what it is asked for, before it is measured. */
async function check(contender: Contender): Promise<void> {
  const { name, server, headers, asks } = contender
  for (const { ask } of kinds) {
    const { path, body } = asks[ask]()
    const reply = await fetch(server.url + path, {
      method: methodOf(ask, contender),
      headers,
      ...(body ? { body } : {}),
    })
    const text = await reply.text()
    if (!reply.ok || !/"title":/.test(text))
      throw new Error(`${name}, ${ask}: ${reply.status} ${text.slice(0, 500)}`)
  }
}

interface Turn {
  readonly rate: number
  /** Processor time of the server for one request, in milliseconds. */
  readonly cpu: number
}

async function turn(contender: Contender, ask: keyof Asks): Promise<Turn> {
  const { server, headers, asks } = contender
  const before = cpuSecondsOf(server.pid)
  const rate = await throughput({
    url: server.url,
    seconds,
    headers,
    method: methodOf(ask, contender),
    next: (): Ask => asks[ask](),
  })
  await settled()
  return { rate, cpu: ((cpuSecondsOf(server.pid) - before) * 1000) / (rate * seconds) }
}

/** What was not answered in its turn must not take time from the next one. */
async function settled(): Promise<void> {
  const [database] = databases
  if (!database) return
  for (let tries = 0; tries < 600; tries += 1) {
    const active = await database.db`
      select from pg_stat_activity
      where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()
    `
    if (active.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('PostgreSQL is still busy five minutes after a turn')
}

/** One contender's line of a table. Its processor time is unknown if nothing was answered. */
function lineOf(group: string, { name }: Contender, found: readonly Turn[], first: number): Line {
  const answered = found.filter(({ rate }) => rate > 0)
  const value = mean(found, 'rate')
  const about =
    answered.length > 0
      ? `${mean(answered, 'cpu').toFixed(2)} ms of processor`
      : `none was answered within ${seconds} s`
  return { group, name: `${name} (${about})`, value, unit: '/s', ratio: value / first }
}

const mean = (turns: readonly Turn[], what: keyof Turn) =>
  turns.reduce((sum, each) => sum + each[what], 0) / turns.length

async function takeTurns(contenders: readonly Contender[], ask: keyof Asks): Promise<readonly Turn[][]> {
  // So that their code is compiled. This turn does not count.
  for (const contender of contenders) await turn(contender, ask)
  const found = contenders.map((): Turn[] => [])
  for (let round = 0; round < turns; round += 1)
    for (const [index, contender] of contenders.entries()) found[index]?.push(await turn(contender, ask))
  return found
}

async function measure(contenders: readonly Contender[]): Promise<void> {
  for (const { ask, group } of kinds) {
    const found = await takeTurns(contenders, ask)
    const first = mean(found[0] ?? [], 'rate')
    for (const [index, contender] of contenders.entries())
      add(lineOf(group, contender, found[index] ?? [], first))
  }
  for (const { name, server } of contenders)
    add({ group: 'Memory of the server after all of this', name, value: memoryOf(server.pid), unit: 'MB' })
}

async function main(): Promise<void> {
  await mkdir(ours, { recursive: true })
  const running: Running[] = []
  const first = await startZoetrope(ours)
  running.push(first)
  try {
    const credentials = JSON.parse(await readFile(join(ours, 'credentials.json'), 'utf8')) as Credentials
    await seedOurs(credentials)
    const { _id } = credentials.channel
    const startDirectus = await prepareDirectus(await placeOf('directus', _id))
    const startStrapi = await prepareStrapi(await placeOf('strapi', _id))
    const contenders = [
      await zoetrope(first, credentials.keys.admin, rows),
      await startDirectus(false),
      await startDirectus(true),
      await startStrapi(),
    ]
    running.unshift(...contenders.slice(1).map(({ server }) => server))
    for (const contender of contenders) await check(contender)
    await measure(contenders)
    // They would keep too many connections.
    for (const { server } of contenders.slice(1)) await server.stop()
    const { connection } = await openIn('oidc')
    await benchTokens(folder, { server: first, ...credentials }, connection, seconds, add)
    const key = credentials.keys.admin
    const bytes = Number(values.megabytes) * 1024 ** 2
    const tus = await benchUploads(join(folder, 'tus'), { server: first, key }, bytes, add)
    const facts = [
      madeOn(),
      `${rows.toLocaleString('en')} videos of about 40 fields, for each in a database of its own of one PostgreSQL; all share the machine with the load of 16 connections, and take turns of ${seconds} seconds, ${turns} each after one that does not count`,
      ...contenders.map(({ name, about }) => `${name}: ${about}`),
      `Uploads: ${tus}`,
      'Tokens: oidc-provider 8.8.1, with opaque tokens in PostgreSQL that change at every renewal, as ours do',
      `\`npm run lab -- bench-peers --rows ${rows} --seconds ${seconds} --megabytes ${values.megabytes}\``,
    ]
    await mkdir(results, { recursive: true })
    await writeFile(join(results, 'peers.md'), `# Beside its peers\n\n${markdown(lines, facts)}`)
    await writeFile(join(results, 'peers.svg'), chart(lines))
    say('written to bench/results/')
  } finally {
    for (const database of databases) await database.close()
    for (const each of running) await each.stop()
    if (!values.dir) await rm(folder, { recursive: true, force: true })
  }
}

await main()
