import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { forgetRequests } from '../../packages/server/src/jobs/forget-requests.job.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { contextOf, openWorker, untilPrepared } from '../support/media.js'
import { addPublisher, type Browser, signInAs } from '../support/publishers.js'

let api: TestApi
let editor: Browser
let viewer: Browser
let stranger: Browser
before(async () => {
  api = await startOwnApi()
  editor = await signInAs(api, await addPublisher(api, [api.channel, 'editor']))
  viewer = await signInAs(api, await addPublisher(api, [api.channel, 'viewer']))
  stranger = await signInAs(api, await addPublisher(api, [api.other, 'owner']))
})
after(() => api.stop())

test('the overview shows what needs attention, storage and plays of one channel only', async () => {
  const { db } = api.database
  const { videos } = api.as('admin')
  const disable_at = new Date(Date.now() + 86_400_000).toISOString()
  const [broken, ending] = [
    await videos.create({ title: 'Broken' }),
    await videos.create({ title: 'Ending', disable_at }),
  ]
  await db`update videos set status = 'failed', status_reason = 'No film in it.' where _id = ${broken._id}`
  const play = { site_id: api.channel.channel._id, video_id: ending._id, device: 'desktop' }
  for (const [id, days] of [
    ['a'.repeat(24), 1],
    ['b'.repeat(24), 20],
    ['c'.repeat(24), 40],
  ] as const)
    await db`
      insert into plays ${db({ ...play, _id: id, date: new Date(Date.now() - days * 86_400_000), plays: 3, watched_seconds: 60 })}
    `

  const { status, body } = await viewer.call('GET', 'overview', undefined, api.channel)

  assert.equal(status, 200)
  assert.deepEqual(
    [body.attention.failed.count, body.attention.failed.videos[0].status_reason],
    [1, 'No film in it.'],
  )
  assert.deepEqual([body.attention.expiring.count, body.attention.expiring.videos[0]._id], [1, ending._id])
  assert.deepEqual(body.plays.last_7_days, { plays: 3, watched_seconds: 60 })
  assert.deepEqual(body.plays.last_28_days, { plays: 6, watched_seconds: 120 })
  assert.equal(body.plays.by_day.length, 28)
  assert.ok(body.uploads.some(({ _id }: { _id: string }) => _id === broken._id))
  assert.deepEqual(body.storage, { bytes: 0, made_bytes: 0, limit_bytes: null })
  const other = await stranger.call('GET', 'overview', undefined, api.other)
  assert.deepEqual([other.body.attention.failed.count, other.body.uploads], [0, []])
  assert.equal((await stranger.call('GET', 'overview', undefined, api.channel)).status, 404)
})

test('home, status and formats count the same originals and formats', async () => {
  const { db } = api.database
  const { videos, format_costs } = api.other.as('admin')
  const site_id = api.other.channel._id
  for (const [source_id, deleted] of [
    ['c'.repeat(24), false],
    ['d'.repeat(24), true],
  ] as const) {
    const { _id: video_id } = await videos.create({ title: `Film ${source_id}` })
    await db`insert into sources ${db({ _id: source_id, site_id, video_id, bytes: 1000, sha256: 'x' })}`
    await db`insert into made_tracks ${db({ site_id, source_id, track: 'hls_720p', windows: 2, bytes: 345 })}`
    if (deleted) await videos.remove(video_id)
  }
  const [home, status] = await Promise.all(
    ['overview', 'status'].map(async (page) => (await stranger.call('GET', page, undefined, api.other)).body),
  )
  const { source_bytes, made_bytes } = await format_costs.get()
  assert.deepEqual([source_bytes, made_bytes], [1000, 345])
  for (const { storage } of [home, status])
    assert.deepEqual([storage.bytes, storage.made_bytes], [source_bytes, made_bytes])
})

async function requests(query: string, browser = editor, channel = api.channel) {
  const { status, body } = await browser.call('GET', `requests?${query}`, undefined, channel)
  assert.equal(status, 200, body.message)
  return body as { _id: string; path: string; method: string; status: number; credential: string }[]
}

test('the request log shows the requests of apps and scripts, without secrets, and is filtered', async () => {
  const { read_only } = api.channel.keys
  await fetch(`${api.url}/videos?api_key=${read_only}&q=secret-word`)
  await fetch(`${api.url}/videos/${'f'.repeat(24)}`, { headers: { 'x-app-key': api.channel.app_key } })
  const { key } = await api.as('admin').keys.create({ name: 'Statistics', scopes: ['plays:read'] })
  await fetch(`${api.url}/plays`, { headers: { 'x-api-key': key ?? '' } })
  await fetch(`${api.url}/categories`, { method: 'POST', headers: { 'x-api-key': read_only } })

  for (let tries = 0; (await requests('status=403')).length === 0 && tries < 1000; tries += 1)
    await delay(100)

  const found = await requests('')
  assert.ok(found.length >= 3)
  assert.doesNotMatch(
    JSON.stringify(found),
    new RegExp(`${read_only}|${api.channel.app_key}|secret-word|\\?`),
  )
  assert.deepEqual(
    (await requests('status=4xx&credential=app')).map(({ path, status }) => [path, status]),
    [[`/videos/${'f'.repeat(24)}`, 404]],
  )
  assert.deepEqual(
    (await requests('credential=named')).map(({ path, credential }) => [path, credential]),
    [['/plays', 'Statistics']],
  )
  assert.ok((await requests('method=post&path=/categor')).every(({ method }) => method === 'POST'))
  assert.deepEqual(await requests(`before=${found.at(-1)?._id}`), [])
  assert.ok(!(await requests('', stranger, api.other)).some(({ path }) => path.includes('f'.repeat(24))))
  assert.equal((await viewer.call('GET', 'requests', undefined, api.channel)).status, 403)
})

test('the request log is kept for a week, and ten thousand requests of a channel', async () => {
  const { db } = api.database
  const site_id = api.other.channel._id
  await db`
    insert into request_log
    select lpad(n::text, 24, '0'), ${site_id}, now() - make_interval(days => case when n <= 3 then 8 else 0 end),
      'GET', '/videos', 200, 1, 'admin', 'x' from generate_series(1, 10020) as n
  `
  await forgetRequests.run({}, contextOf(api))

  const [row] = await db`
    select count(*)::int as count, min(_id) as oldest from request_log
    where site_id = ${site_id} and request_id = 'x'
  `
  assert.ok((row?.count ?? 0) <= 10_000 && (row?.count ?? 0) > 9000, `${row?.count} are left`)
  assert.ok(row?.oldest > '3'.padStart(24, '0'))
})

test('a new channel gets a sample film with chapters and subtitles; a viewer may not request it', async () => {
  assert.equal((await viewer.call('POST', 'sample', {}, api.channel)).status, 403)
  const [first, second] = await Promise.all([
    editor.call('POST', 'sample', {}, api.channel),
    editor.call('POST', 'sample', {}, api.channel),
  ])
  const [made, refused] = first.status === 201 ? [first, second] : [second, first]
  assert.deepEqual([made.status, refused.status], [201, 422], made.body.message)
  assert.equal(made.body.response.status, 'processing')

  const worker = openWorker(api)
  try {
    const video = await untilPrepared(api, made.body.response._id)
    assert.deepEqual([video.status, video.duration], ['ready', 12], video.status_reason ?? '')
    assert.deepEqual(
      video.segments.map(({ start, description }) => [start, description]),
      [
        [0, 'Dawn'],
        [4000, 'Life'],
        [8000, 'Depth'],
      ],
    )
    const { response } = await api.as('admin').subtitles.list(video._id)
    const found = response.map(({ language, default: isDefault }) => [language, isDefault])
    assert.deepEqual(found.sort(), [
      ['de', false],
      ['en', true],
    ])
  } finally {
    await worker.stop()
  }
})
