import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog, type Resource } from '@zoetrope/contract'
import type { Db } from '../../packages/server/src/db/database.js'
import { type Fragment, sql, statementOf } from '../../packages/server/src/db/fragment.js'
import { piece } from '../../packages/server/src/db/statement.js'
import { features } from '../../packages/server/src/features/index.js'
import type { Call, Run } from '../../packages/server/src/resources/feature.js'
import { listed } from '../../packages/server/src/resources/list.js'
import { standard } from '../../packages/server/src/resources/standard.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { type Library, seedLibrary } from '../support/seed-library.js'

const count = 3000
let api: TestApi
let library: Library
before(async () => {
  api = await startOwnApi()
  const { db } = api.database
  await db`
    insert into videos (_id, site_id, title, friendly_title, keywords, created_at)
    select '65f0' || lpad(to_hex(i), 20, '0'), ${api.channel.channel._id}, 'Video ' || i, 'video-' || i, '{common}',
      now() - i * interval '1 hour'
    from generate_series(1, ${count}::int) as i
  `
  await db`analyze videos`
  library = await seedLibrary(db, api.channel.channel._id, {
    playlist: count,
    smallPlaylist: 10,
    consumers: count,
    favorites: count * 3,
    entitlements: count * 3,
  })
})
after(() => api.stop())

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const film = (index: number) => `65f0${index.toString(16).padStart(20, '0')}`

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

type Explained = { 'QUERY PLAN': { Plan: Plan }[] }[]
interface Cost {
  /** Rows that a statement reads from tables and indexes. */
  readonly rows: number
  /** Tables that it reads completely. */
  readonly whole: string[]
}

async function costOf(text: string, values: unknown[]): Promise<Cost> {
  return read(
    await api.database.db.unsafe<Explained>(
      `explain (analyze, timing off, format json) ${text}`,
      values as never,
    ),
  )
}

/** Returns the cost of a statement as the server runs it: with a generic plan. */
const costOfPlanned = (text: string, values: readonly (string | undefined)[]): Promise<Cost> =>
  api.database.transaction(async (tx) => {
    const given = values.map((value) => `'${value}'`).join()
    const inBrackets = (list: string) => (list ? `(${list})` : '')
    await tx.unsafe(`prepare looked_at ${inBrackets(values.map(() => 'text').join())} as ${text}`)
    const explained = await tx.unsafe<Explained>(
      `explain (analyze, timing off, format json) execute looked_at ${inBrackets(given)}`,
    )
    await tx.unsafe('deallocate looked_at')
    return read(explained)
  })

function read([row]: Explained): Cost {
  const nodes = nodesOf(row?.['QUERY PLAN'][0]?.Plan as Plan).filter((node) =>
    / Scan$/.test(node['Node Type']),
  )
  const read = nodes.filter((node) => node['Relation Name'] || node['Node Type'].startsWith('Bitmap Index'))
  const rowsOf = (node: Plan) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  return {
    rows: read.reduce((sum, node) => sum + rowsOf(node), 0),
    whole: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && rowsOf(node) >= count)
      .map((node) => node['Relation Name'] ?? ''),
  }
}

/** Returns the cost of a list: the sum over all of its statements. */
async function costOfList(run: Run, resource: Resource, call: Partial<Call>) {
  const statements: [string, unknown[]][] = []
  const note = (fragment: Fragment) => {
    const { text, values } = statementOf(fragment)
    statements.push([text, [...values]])
  }
  const recording = (db: Db): Db =>
    new Proxy(db, {
      // Pages are put together from pieces. Other statements read counts.
      apply(target, self, given: [TemplateStringsArray, ...unknown[]]) {
        const readsCounts = /from list_(days|minutes)/.test(given[0].join(''))
        if (!readsCounts && given.some((value) => piece in Object(value))) note(sql(...given))
        return Reflect.apply(target, self, given)
      },
      get: (target, name) =>
        name === 'run'
          ? (fragment: Fragment) => {
              note(fragment)
              return target.run(fragment)
            }
          : Reflect.get(target, name),
    })
  const { database } = api
  const { site_id } = { site_id: api.channel.channel._id }
  const answer = await run({
    parts: {
      ...api.parts,
      database: {
        ...database,
        db: recording(database.db),
        searching: recording(database.searching),
        snapshot: (work) => database.snapshot((tx) => work(recording(tx))),
      },
    },
    resource,
    principal: { kind: 'admin', siteId: site_id, firstPage: 0 } as never,
    scope: { site_id },
    id: '',
    query: {},
    body: {},
    address: '127.0.0.1',
    ...call,
  } as Call)
  const { response } = JSON.parse(String(answer?.json)) as { response: unknown[] }
  assert.equal(response.length, 10)
  assert.ok(statements.length > 0)
  const costs = await Promise.all(statements.map((statement) => costOf(...statement)))
  return { rows: costs.reduce((sum, { rows }) => sum + rows, 0), whole: costs.flatMap(({ whole }) => whole) }
}

const ofCollector = () => ({ site_id: api.channel.channel._id, consumer_id: library.collector })

test('the first and the last page of a long playlist are found in an index', async () => {
  const run = features.playlists.actions.videos
  for (const page of ['0', String(count / 10 - 1)]) {
    const cost = await costOfList(run, catalog.playlists, { id: library.playlist, query: { page } })
    assert.deepEqual(cost.whole, [])
    assert.ok(cost.rows < 100, `${cost.rows} rows for page ${page}`)
  }
})

test('every page of all consumers is found by stored counts', async () => {
  for (const page of ['0', String(count / 20), String(count / 10 - 1)]) {
    const cost = await costOfList(standard.list, catalog.consumers, { query: { page } })
    assert.ok(!cost.whole.includes('consumers'), cost.whole.join())
    assert.ok(cost.rows < count, `${cost.rows} rows for page ${page}`)
  }
})

test("a consumer's favourites and entitlements are read without those of others", async () => {
  for (const resource of [catalog.video_favorites, catalog.video_entitlements]) {
    const cost = await costOfList(standard.list, resource, { scope: ofCollector() })
    assert.deepEqual(cost.whole, [])
    assert.ok(cost.rows < count, `${cost.rows} rows of ${resource.plural}`)
  }
})

test('versions of a video are read without those of others, filtered or not', async () => {
  const { videos } = api.as('admin')
  const { _id } = await videos.create({ title: '0' })
  for (let change = 1; change < 40; change += 1) await videos.update(_id, { title: String(change) })
  const scope = { site_id: api.channel.channel._id, video_id: _id }
  for (const query of [{ page: '0' }, { page: '3' }, { 'created_at.gte': '0' }]) {
    const cost = await costOfList(standard.list, catalog.video_versions, { scope, query })
    assert.deepEqual(cost.whole, [])
    assert.ok(cost.rows < 100, `${cost.rows} rows for ${JSON.stringify(query)}`)
  }
})

/** The video that every consumer may watch. */
const hit = film(11)

/**
 * Gives one consumer as many entitlements of each kind as there are videos, most of them expired. All consumers
 * get the same film and playlist.
 */
async function giveEverything(consumer_id: string): Promise<void> {
  const { db } = api.database
  const site_id = api.channel.channel._id
  const over = new Date(Date.now() - 1e9)
  const { _id: pass_plan_id } = await api.as('admin').pass_plans.create({ name: 'Day', amount: '1' })
  await db`
    insert into transactions (_id, site_id, provider, consumer_id, transaction_type, pass_plan_id, expires_at)
    select 'aaaa' || lpad(to_hex(i), 20, '0'), ${site_id}, 'web', ${consumer_id}, 'pass', ${pass_plan_id}, ${over}
    from generate_series(1, ${count}::int) as i
  `
  await db`
    insert into playlists (_id, site_id, title, friendly_title)
    select 'bbbb' || lpad(to_hex(i), 20, '0'), ${site_id}, 'Sold', 'sold-' || i from generate_series(1, ${count}::int) as i
  `
  await db`
    insert into playlist_entitlements (_id, site_id, consumer_id, playlist_id)
    select 'cccc' || right(_id, 20), site_id, ${consumer_id}, _id from playlists where title = 'Sold'
  `
  await db`
    insert into playlist_entitlements (_id, site_id, consumer_id, playlist_id)
    select 'dddd' || right(_id, 20), site_id, _id, ${library.playlist} from consumers where _id <> ${consumer_id}
  `
  await db`
    insert into video_entitlements (_id, site_id, consumer_id, video_id)
    select 'eeee' || right(_id, 20), site_id, _id, ${hit} from consumers where _id <> ${consumer_id}
  `
  for (const table of ['transactions', 'playlists', 'playlist_entitlements', 'video_entitlements'])
    await db`analyze ${db(table)}`
}

test('the access check of a consumer takes a few index lookups, no matter how much they own', async () => {
  await giveEverything(library.collector)
  for (const [consumer, video] of [
    [library.collector, film(7)],
    [library.collector, film(count - 1)],
    [library.viewer, film(7)],
    [library.viewer, hit],
    [library.collector, hit],
  ]) {
    const { rows, whole } = await costOfPlanned(
      `select entitlement.* from videos
       cross join lateral entitlement_status(videos.site_id, $2, videos._id, array[$4, $5]) as entitlement
       where site_id = $1 and _id = $3`,
      [api.channel.channel._id, consumer, video, library.playlist, `bbbb${'f'.repeat(20)}`],
    )
    assert.deepEqual(whole, [])
    assert.ok(rows < 20, `${rows} rows`)
  }
})

test('rules of other videos cost a few index lookups, no matter how many there are', async () => {
  const { db } = api.database
  const [film = ''] = (await api.as('app').videos.list({ per_page: 1 })).response.map(({ _id }) => _id)
  await db`
    insert into playlist_content_rules (_id, site_id, playlist_id) select 'dddd' || right(_id, 20), site_id, _id
    from playlists where title = 'Sold'
  `
  await db`
    insert into video_content_rules (_id, site_id, video_id) select 'eeee' || right(_id, 20), site_id, _id
    from videos where site_id = ${api.channel.channel._id} and _id <> ${film}
  `
  for (const table of ['playlist_content_rules', 'video_content_rules']) await db`analyze ${db(table)}`
  const { rows, whole } = await costOfPlanned(
    `select rule._id from videos cross join lateral rules_around(site_id, videos._id, content_rule_profile_id,
       related_playlist_ids, category_ids_in(categories)) as rule
     where site_id = $1 and videos._id = $2`,
    [api.channel.channel._id, film],
  )
  assert.deepEqual(whole, [])
  assert.ok(rows < 20, `${rows} rows`)
})

test('filters of videos by keyword, category, zobject, playlist and trailer are found in an index', async () => {
  const { db } = api.database
  const id = 'abcd'.repeat(6)
  await db`update videos set categories = '[{"title": "Mood", "value": ["calm"]}]' where _id < ${film(11)}`
  // A trigger sets the playlists when categories change.
  await db`
    update videos set keywords = '{rare}', zobject_ids = ${[id]}, preview_ids = ${[id]}, related_playlist_ids = ${[id]}
    where _id < ${film(11)}
  `
  await db`vacuum analyze videos`
  for (const query of [
    { keywords: 'rare' },
    { category: { Mood: 'calm' } },
    { zobject_id: id },
    { 'playlist_id.inclusive': id },
    { preview_id: id },
  ]) {
    const { rows, whole } = await costOfList(standard.list, catalog.videos, { query: query as never })
    assert.deepEqual(whole, [], JSON.stringify(query))
    assert.ok(rows < 100, `${rows} rows for ${JSON.stringify(query)}`)
  }
})

test('failed, waiting and stalled videos are found in an index', async () => {
  const { db } = api.database
  await db`update videos set status = 'failed' where _id < ${film(11)}`
  await db`update videos set status = 'uploading' where _id > ${film(11)} and _id < ${film(20)}`
  await db`vacuum analyze videos`
  const site_id = api.channel.channel._id
  for (const [where, values] of [
    ["site_id = $1 and status = 'failed' order by updated_at desc limit 1000", [site_id]],
    ["site_id = $1 and status in ('uploading', 'processing') order by updated_at desc limit 1000", [site_id]],
    ["status in ('uploading', 'processing') and updated_at < now() - interval '2 minutes'", []],
  ] as const) {
    const { rows, whole } = await costOfPlanned(
      `select _id from videos where deleted_at is null and ${where}`,
      values,
    )
    assert.deepEqual(whole, [], where)
    assert.ok(rows < 50, `${rows} rows where ${where}`)
  }
})

test('lists for viewers find failed videos in an index alone, and expect few of them', async () => {
  const { db } = api.database
  const site_id = api.channel.channel._id
  const planOf = async (where: Fragment) => {
    const [row] = await db<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[]>`
      explain (format json) select _id, created_at from videos where ${where}
    `
    return row?.['QUERY PLAN'][0].Plan
  }
  const seen = await planOf(listed(catalog.videos, { site_id }, 'seen'))
  assert.match(JSON.stringify(seen), /"Index Only Scan".*"videos_failed"/)
  const active = await planOf(listed(catalog.videos, { site_id }, true))
  assert.ok((seen?.['Plan Rows'] ?? 0) > 0.9 * (active?.['Plan Rows'] ?? 0), JSON.stringify([seen, active]))
})
