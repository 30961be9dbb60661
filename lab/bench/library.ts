/**
 * Measures whether lists other than videos stay fast as they grow: a long playlist, many consumers, favourites and
 * entitlements. Also measures how long the database takes to decide whether a consumer may watch. Writes
 * bench/results/library.md.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Database, type Db, openDatabase } from '../../packages/server/src/db/database.js'
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import { type Library, seedLibrary } from '../../test/support/seed-library.js'
import { type Running, startZoetrope } from '../processes.js'
import { madeOn, markdown, openReport, say } from '../report.js'
import { anew, latency } from './measure.js'
import { seedVideos, unhurried } from './seed.js'

const { values } = parseArgs({
  options: {
    playlist: { type: 'string', default: '100000' },
    owned: { type: 'string', default: '1000000' },
    dir: { type: 'string' },
  },
})
const [inPlaylist, owned] = [Number(values.playlist), Number(values.owned)]
const small = Math.round(inPlaylist / 100)
/** Some videos are inactive and in no playlist. */
const videos = Math.round(inPlaylist * 1.1)
const folder = resolve(values.dir ?? (await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))))
const { lines, add } = openReport()

interface Credentials {
  readonly channel: { readonly _id: string }
  readonly keys: { readonly admin: string }
}

async function open(): Promise<Database> {
  const connection = await findRunningPostgres(join(folder, 'postgres'))
  if (!connection) throw new Error('PostgreSQL is not running')
  return openDatabase({ connection, connections: 1 })
}

async function seed(database: Database, siteId: string): Promise<Library> {
  const file = join(folder, `library-${inPlaylist}-${owned}.json`)
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as Library
  say(`making ${videos.toLocaleString('en')} videos…`)
  await seedVideos(database, siteId, videos, () => {})
  say(`making ${owned.toLocaleString('en')} consumers, favourites and entitlements…`)
  const library = await seedLibrary(database.db, siteId, {
    playlist: inPlaylist,
    smallPlaylist: small,
    consumers: owned,
    favorites: owned,
    entitlements: owned,
  })
  await writeFile(file, JSON.stringify(library))
  return library
}

/** The worker would do it, which does not run here. Until then, each look at a list adds up all changes. */
async function foldChanges(db: Db): Promise<void> {
  await unhurried(db)
  for (let folded = 1; folded > 0; )
    folded = (await db<{ folded: number }[]>`select fold_list_changes(10000) as folded`)[0]?.folded ?? 0
  await db`vacuum analyze list_changes, consumers`
}

interface Asked {
  readonly group: string
  readonly path: string
  readonly count: number
  /** The same list with few records, and its name. */
  readonly few: readonly [name: string, path: string]
}

async function benchPages(server: Running, key: string, { group, path, count, few }: Asked): Promise<void> {
  const time = async (at: string, page: number) => {
    const from = `${server.url}${at}${at.includes('?') ? '&' : '?'}page=${page}&per_page=10`
    return (await latency(40, () => `${from}&${anew()}`, { 'x-api-key': key })).median
  }
  const last = Math.ceil(count / 10) - 1
  const pages: readonly (readonly [name: string, page: number])[] = [
    ['a page at 1 %', Math.floor(last / 100)],
    ['a page in the middle', Math.floor(last / 2)],
    ['the last page', last],
  ]
  const lists = [
    { name: few[0], ask: () => time(few[1], 0) },
    ...[['page 0', 0] as const, ...pages.filter(([, page]) => page > 0)].map(([name, page]) => ({
      name: `${name}${page > 0 ? ` (${page.toLocaleString('en')})` : ''}`,
      ask: () => time(path, page),
      target: '≤ 2',
    })),
  ]
  // In turns, after some that are not counted: the server becomes faster while it is asked.
  const taken = lists.map((): number[] => [])
  for (let round = 0; round < 5; round += 1)
    for (const [index, { ask }] of lists.entries()) {
      const ms = await ask()
      if (round > 1) taken[index]?.push(ms)
    }
  const medians = taken.map((each) => each.sort((a, b) => a - b)[1] ?? Number.NaN)
  for (const [index, { ask: _, ...line }] of lists.entries()) {
    const value = medians[index] ?? Number.NaN
    add({ group, ...line, value, unit: 'ms', ratio: value / (medians[0] ?? Number.NaN) })
  }
}

/** Checks random viewers and videos in one statement, so that only the check is measured. */
async function benchEntitled({ db }: Database, siteId: string): Promise<void> {
  const group = 'May this consumer watch this video, in the database'
  const checks = 5000
  for (const [name, consumer] of [
    [`one of ${owned.toLocaleString('en')} consumers`, db`(random() * ${owned - 1})::int`],
    [`one with ${(owned / 100).toLocaleString('en')} entitlements`, db`0`],
  ] as const) {
    const taken: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const begun = performance.now()
      await db`
        with films as materialized (
          select _id, related_playlist_ids, row_number() over () as place from videos
          where site_id = ${siteId} order by random() limit ${checks}
        ), asked as materialized (
          select films.*, '65f0c0c0' || lpad(to_hex(${consumer}), 16, '0') as consumer from films
        )
        select count(*) filter (where is_entitled) from asked
        cross join lateral entitlement_status(${siteId}, consumer, _id, related_playlist_ids)
      `
      taken.push((performance.now() - begun) / checks)
    }
    add({ group, name, value: taken.sort((a, b) => a - b)[1] ?? Number.NaN, unit: 'ms', target: '< 1 ms' })
  }
}

/** Measures videos in a playlist with rules, and others. */
async function benchRules({ db }: Database, siteId: string, playlist: string): Promise<void> {
  const group = 'What content rules say of a video, in the database'
  const viewer = JSON.stringify({ place: { country: 'DE' }, device: 'Desktop', host: 'example.com' })
  const time = async (name: string, ids: readonly string[]) => {
    const begun = performance.now()
    await db`
      select count(content_verdict(videos, ${viewer}::text::jsonb)) from videos
      where site_id = ${siteId} and _id = any(${ids as string[]})
    `
    add({ group, name, value: (performance.now() - begun) / ids.length, unit: 'ms', target: '< 1 ms' })
  }
  const rows = await db<{ _id: string; is_inside: boolean }[]>`
    select _id, exists (select from playlist_videos where playlist_id = ${playlist} and video_id = _id) as is_inside
    from videos where site_id = ${siteId} order by created_at limit 2000
  `
  const inside = rows.filter(({ is_inside }) => is_inside).map(({ _id }) => _id)
  const outside = rows.filter(({ is_inside }) => !is_inside).map(({ _id }) => _id)
  await time('a channel without rules', inside)
  await db`
    insert into playlist_content_rules (_id, site_id, playlist_id, geographies)
    select '65f0' || lpad(i::text, 20, '0'), ${siteId}, ${playlist}, '[{"countries":["FR","US"]}]'
    from generate_series(1, 5) as i
  `
  await db`select relate_videos(${siteId}, ${inside})`
  await time('in a playlist with five rules', inside)
  await time('in no playlist with rules', outside)
  await db`delete from playlist_content_rules where site_id = ${siteId}`
}

/** Removes a playlist that many consumers were given: what the caller waits for, and what goes on afterwards. */
async function benchRemoval(server: Running, { db }: Database, siteId: string, key: string): Promise<void> {
  const given = Math.round(owned * 0.15)
  const group = `Removing a playlist that ${given.toLocaleString('en')} consumers were given`
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const made = await fetch(`${server.url}/playlists`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ playlist: { title: 'Given to many' } }),
  })
  if (!made.ok) throw new Error(`No playlist was made: ${made.status}`)
  const { _id } = ((await made.json()) as { response: { _id: string } }).response
  await unhurried(db)
  await db`
    insert into playlist_entitlements (_id, site_id, consumer_id, playlist_id)
    select left(md5(${_id} || _id), 24), site_id, _id, ${_id} from consumers where site_id = ${siteId} limit ${given}
  `
  await foldChanges(db)
  const seconds = async (work: () => Promise<unknown>) => {
    const begun = performance.now()
    await work()
    return (performance.now() - begun) / 1000
  }
  const call = async () => {
    const reply = await fetch(`${server.url}/playlists/${_id}`, { method: 'DELETE', headers })
    if (!reply.ok) throw new Error(`The playlist was not removed: ${reply.status}`)
  }
  add({ group, name: 'the caller', value: await seconds(call), unit: 's', target: '≤ 1 s' })
  const rest = async () => {
    for (let more = true; more; ) {
      const [row] = await db<{ more: boolean }[]>`select end_entitlements(${siteId}, ${_id}, 1000) as more`
      more = row?.more ?? false
    }
  }
  add({ group, name: 'the entitlements, in the background', value: await seconds(rest), unit: 's' })
}

await mkdir(folder, { recursive: true })
const server = await startZoetrope(folder, { WORKERS: '0' })
try {
  const { channel, keys } = JSON.parse(
    await readFile(join(folder, 'credentials.json'), 'utf8'),
  ) as Credentials
  const database = await open()
  const library = await seed(database, channel._id)
  say('folding the changes of lists…')
  await foldChanges(database.db)
  const { playlist, smallPlaylist, collector, viewer } = library
  const number = (count: number) => count.toLocaleString('en')
  await benchPages(server, keys.admin, {
    group: `The videos of a playlist of ${number(inPlaylist)}`,
    path: `/playlists/${playlist}/videos`,
    count: inPlaylist,
    few: [`a playlist of ${number(small)}, page 0`, `/playlists/${smallPlaylist}/videos`],
  })
  await benchPages(server, keys.admin, {
    group: `${number(owned)} consumers`,
    path: '/consumers',
    count: owned,
    few: ['one of them, by address', `/consumers?email=viewer-7@example.com`],
  })
  await benchPages(server, keys.admin, {
    group: `Consumers with more than ${number(owned / 1000)} entitlements, of ${number(owned)} in all`,
    path: `/consumers?video_count.gt=${owned / 1000}`,
    count: 1,
    few: ['one of them, by address', `/consumers?email=viewer-7@example.com`],
  })
  for (const [name, path] of [
    ['favourites', 'video_favorites'],
    ['entitlements', 'videos'],
  ] as const)
    await benchPages(server, keys.admin, {
      group: `${number(owned / 100)} ${name} of one consumer, of ${number(owned)} in all`,
      path: `/consumers/${collector}/${path}`,
      count: owned / 100,
      few: ['of a consumer who has one, page 0', `/consumers/${viewer}/${path}`],
    })
  await benchEntitled(database, channel._id)
  await benchRules(database, channel._id, smallPlaylist)
  await benchRemoval(server, database, channel._id, keys.admin)
  await database.close()
} finally {
  await server.stop()
  if (!values.dir) await rm(folder, { recursive: true, force: true })
}
const facts = [
  madeOn(),
  'milliseconds of one request after the other, medians of three turns of 40, none from memory; ratios are to the short list',
  `\`npm run lab -- bench-library --playlist ${inPlaylist} --owned ${owned}\``,
]
await writeFile(resolve('bench/results/library.md'), markdown(lines, facts))
say('written to bench/results/library.md')
