/**
 * Measures searches over HTTP in a channel with subtitles, and what keeping the words costs every write: the same
 * statements against this schema and against the one before, with the words in the rows of videos. Writes
 * bench/results/search.md.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createChannel } from '../../packages/server/src/auth/channels.js'
import { type Database, type Db, openDatabase } from '../../packages/server/src/db/database.js'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { migrate } from '../../packages/server/src/db/migrate.js'
import { createSealer } from '../../packages/server/src/lib/sealing.js'
import { version } from '../../packages/server/src/version.js'
import { startZoetrope } from '../processes.js'
import { madeOn, markdown, openReport, say } from '../report.js'
import { anew, latency } from './measure.js'
import { seedVideos } from './seed.js'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, dir: { type: 'string' } },
})
const rows = Number(values.rows)
const folder = resolve(values.dir ?? (await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))))
const { lines, add } = openReport()

interface Credentials {
  readonly channel: { readonly _id: string }
  readonly keys: { readonly admin: string }
}

/** Gives every 50th video subtitles of 300 lines. */
async function seedSubtitles(db: Db, siteId: string): Promise<void> {
  await db`
    insert into subtitles (_id, site_id, video_id, language, title, extension_type, file_content_type, file_file_size,
      file_fingerprint, url, vtt)
    select left(md5(_id), 24), ${siteId}, _id, 'en', 'English', 'vtt', 'text/vtt', 20000, md5(_id), 'https://example.com',
      (select 'WEBVTT' || string_agg(
        E'\n\n' || to_char(line * interval '3 seconds', 'HH24:MI:SS.MS') || ' --> '
          || to_char(line * interval '3 seconds' + interval '2 seconds', 'HH24:MI:SS.MS') || E'\n'
          || 'speaker ' || chr(97 + line % 26) || ' said that the vault number ' || place || ' opens at ' || line, ''
      ) from generate_series(1, 300) as line)
    from (select _id, row_number() over () as place from videos where site_id = ${siteId}) as numbered
    where place % 50 = 0
  `
  await db`vacuum analyze subtitles, subtitle_search`
}

async function seed(siteId: string): Promise<void> {
  const connection = await findRunningPostgres(join(folder, 'postgres'))
  if (!connection) throw new Error('PostgreSQL is not running')
  const marker = join(folder, `searched-${rows}`)
  if (existsSync(marker)) return
  const database = openDatabase({ connection, connections: 1 })
  say(`making ${rows.toLocaleString('en')} videos…`)
  await seedVideos(database, siteId, rows, () => {})
  await seedSubtitles(database.db, siteId)
  await database.close()
  await writeFile(marker, '')
}

async function measureSearches(url: string, key: string): Promise<void> {
  const group = `Searches at ${rows.toLocaleString('en')} videos, milliseconds (median of 15)`
  // An unknown parameter makes each address unique, so that no response is cached.
  const time = async (query: string) =>
    (await latency(15, () => `${url}/videos?${query}&${anew()}`, { 'x-api-key': key })).median
  const some = Math.floor(rows / 3)
  const pairs: readonly (readonly [string, string])[] = [
    ['q=, a word of one video', `q=src-${some}`],
    ['q=, a word of every 15th video', 'q=lantern'],
    ['q=, two words of many videos', 'q=golden%20harbour'],
    ['q=, a word of every video', 'q=src'],
    ['search=, a word of one video', `search=yt${some}%20src%20${some}`],
    ['search=, a word of every 7th video', 'search=lantern'],
    ['search=, a word of every description', 'search=filmed'],
    ['search=, a misspelt word', 'search=lantren'],
    ['search=, two misspelt words', 'search=goldne%20harbuor'],
    ['search=, a word of no video', 'search=qwertzuiopa'],
    ['search=, words of one subtitle', 'search=vault%20number%20700%20opens'],
    ['search=, a word of every subtitle, 60 videos with lines', 'search=speaker&per_page=60'],
  ]
  for (const [name, query] of pairs) add({ group, name, value: await time(query), unit: 'ms' })
}

const before = `
  alter table videos add column search tsvector
    generated always as (video_words(title, keywords, source_id, video_zobjects)) stored;
  create index videos_by_search on videos using gin (site_id, search);
  drop trigger videos_searched on videos;
  drop trigger videos_searched_words on videos;
  drop trigger videos_searched_state on videos;
  drop trigger videos_unsearched on videos;
`

interface Side {
  readonly database: Database
  readonly siteId: string
}

async function openSide(name: string, change: string): Promise<Side> {
  const connection = await findRunningPostgres(join(folder, 'postgres'))
  if (!connection) throw new Error('PostgreSQL is not running')
  const main = openDatabase({ connection, connections: 1 })
  await main.db.unsafe(`drop database if exists ${name}`)
  await main.db.unsafe(`create database ${name}`)
  await main.close()
  const database = openDatabase({ connection: { ...connection, database: name }, connections: 1 })
  await migrate(database, version)
  const { channel } = await database.transaction((tx) => createChannel(tx, createSealer('bench'), 'Bench'))
  await database.db.unsafe(change)
  return { database, siteId: channel._id }
}

const description = 'A film about the harbour in winter, made over one year by a crew of four people.'
const wordy = 'golden harbour lantern railway winter orchard signal comet bridge market'.split(' ')

/** Milliseconds for a number of statements, one after the other. */
async function timeOf(count: number, run: (index: number) => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  for (let index = 0; index < count; index += 1) await run(index)
  return performance.now() - begun
}

let made = 0
const insert = ({ database: { db }, siteId }: Side, _id: string, hasText: boolean) => db`
  insert into videos ${db({
    _id,
    site_id: siteId,
    title: `${wordy[made % 10]} ${wordy[(made * 7) % 10]} ${made}`,
    friendly_title: `bench-${_id}`,
    keywords: ['bench'],
    source_id: `bench-${made}`,
    ...(hasText ? { description } : {}),
  })}
`

async function measureWrites(): Promise<void> {
  const sides = { before: await openSide('bench_before', before), now: await openSide('bench_now', '') }
  const batch = 500
  const times: Record<string, { before: number[]; now: number[] }> = {}
  const note = (what: string, side: 'before' | 'now', taken: number) => {
    times[what] ??= { before: [], now: [] }
    times[what][side].push((taken / batch) * 1000)
  }
  for (let round = 0; round < 12; round += 1)
    for (const name of round % 2 ? (['before', 'now'] as const) : (['now', 'before'] as const)) {
      const side = sides[name]
      const { db } = side.database
      const ids: string[] = []
      const create = (hasText: boolean) => () => {
        made += 1
        const id = made.toString(16).padStart(24, '0')
        ids.push(id)
        return insert(side, id, hasText)
      }
      note('create, with a title, a keyword and an id', name, await timeOf(batch, create(false)))
      note('create, with a description too', name, await timeOf(batch, create(true)))
      const at = (index: number) => ids[index] ?? ''
      note(
        'update of the title',
        name,
        await timeOf(
          batch,
          (index) =>
            db`update videos set title = ${`Other ${index}`} where site_id = ${side.siteId} and _id = ${at(index)}`,
        ),
      )
      note(
        'update of the genre',
        name,
        await timeOf(
          batch,
          (index) =>
            db`update videos set genre = ${`g${index % 9}`} where site_id = ${side.siteId} and _id = ${at(index)}`,
        ),
      )
    }
  const middle = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
  const group =
    'Writes by one connection, µs a statement (median of 12 rounds in turns), against the words in the row'
  for (const [what, { before: old, now }] of Object.entries(times)) {
    add({ group, name: `${what}: before`, value: middle(old), unit: 'µs', ratio: 1 })
    add({
      group,
      name: what,
      value: middle(now),
      unit: 'µs',
      ratio: middle(now) / middle(old),
      target: '≤ 1.05',
    })
  }
  for (const { database } of Object.values(sides)) await database.close()
}

await mkdir(folder, { recursive: true })
let server = await startZoetrope(folder)
try {
  const credentials = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Credentials
  await seed(credentials.channel._id)
  // The server notices directly inserted rows only after a restart.
  await server.stop()
  server = await startZoetrope(folder)
  await measureSearches(server.url, credentials.keys.admin)
  await measureWrites()
} finally {
  await server.stop()
  if (!values.dir) await rm(folder, { recursive: true, force: true })
}
const facts = [
  madeOn(),
  `${rows.toLocaleString('en')} videos in one channel, subtitles of 300 lines for every 50th; server, PostgreSQL and load share the machine`,
  `\`npm run lab -- bench-search --rows ${rows}\``,
]
await writeFile(resolve('bench/results/search.md'), markdown(lines, facts))
say('written to bench/results/search.md')
