import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { JobContext } from '../../packages/server/src/jobs/define-job.js'
import { refreshDue } from '../../packages/server/src/jobs/refresh-due.job.js'
import { refreshSource } from '../../packages/server/src/jobs/refresh-source.job.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { type FilmServer, startFilmServer } from '../support/film-server.js'
import { contextOf } from '../support/media.js'
import { ask } from './ask.js'
import { feed, item } from './feed-items.js'

let api: TestApi
let server: FilmServer
before(async () => {
  api = await startOwnApi()
  server = await startFilmServer()
})
after(async () => {
  await server.stop()
  await api.stop()
})

const context = (): JobContext => ({
  ...contextOf(api),
  media: { ...api.media, isReachable: (address: string) => address === '127.0.0.1' },
})

const serve = (body: string, status = 200) =>
  server.answer((_request, reply) => reply.writeHead(status, { 'content-type': 'text/xml' }).end(body))

const fields = () => ({ type: 'mrss' as const, url: `${server.url}/feed.xml` })
const keyOf = (source_id: string) => ({ site_id: api.channel.channel._id, source_id })

/** Reads the feed of a source, as a worker does. */
async function refreshed(_id: string, within = context()) {
  await refreshSource.run(keyOf(_id), within)
  return api.as('admin').video_sources.get(_id)
}
const importsOf = async (video_source_id: string) =>
  (await api.as('admin').video_imports.list({ video_source_id, per_page: 100 })).response
const videosOf = async (_id: string) => (await importsOf(_id)).map(({ video_id }) => video_id ?? '')
const waiting = async (key: string) =>
  (await api.database.db`select from graphile_worker.jobs where key = ${key}`).length

for (const format of formats)
  test(`a source is made and read, and each of its items becomes an import, once (${format})`, async () => {
    const { video_sources, video_imports } = api.as('admin', format)
    const made = await video_sources.create(fields())
    const start = [made.status, made.sync_interval, made.auto_add, made.video_count, made.refreshed_at]
    assert.deepEqual(start, ['created', 'daily', true, 0, null])
    assert.equal(await waiting(`refresh-source:${made._id}`), 1)
    serve(
      feed(
        item('one', 'One &amp; only', '<media:thumbnail url="https://films.example/one.jpg"/>'),
        item('two', 'Two'),
        item('one', 'Again'),
        '<item><guid>none</guid></item>',
      ),
    )
    const read = await refreshed(made._id)
    assert.deepEqual([read.status, read.status_reason, read.name], ['ready', null, 'Theirs'])
    const counts = [read.found_count, read.added_count, read.skipped_count, read.video_count]
    assert.deepEqual(counts, [4, 2, 2, 2])
    const { response } = await video_imports.list({ video_source_id: made._id })
    const [one] = response
    assert.deepEqual(
      [one?.title, one?.source_url, one?.source_id, one?.keywords, one?.published_at],
      ['One & only', 'https://films.example/one.mp4', 'one', ['a', 'b'], '2026-03-15T10:00:00.000Z'],
    )
    assert.equal(await waiting(`import:${one?._id}`), 1)
    const video = await api.as('admin').videos.get(one?.video_id ?? '')
    assert.deepEqual(
      [video.title, video.description, video.keywords, video.active, video.status, video.published_at],
      ['One & only', 'About One & only', ['a', 'b'], true, 'uploading', '2026-03-15T10:00:00.000Z'],
    )
    assert.deepEqual(
      [video.mrss_id, video.custom_thumbnail_url, video.source_url],
      ['one', 'https://films.example/one.jpg', null],
    )
    const again = await refreshed(made._id)
    assert.deepEqual([again.added_count, again.changed_count, again.video_count], [0, 0, 2])
    assert.equal((await importsOf(made._id)).length, 2)

    assert.equal((await video_sources.update(made._id, { name: 'Mine' })).name, 'Mine')
    assert.equal((await video_sources.list({ type: 'mrss', name: 'Mine' })).response.at(0)?._id, made._id)
    await api.as('admin').videos.remove(video._id)
    await refreshed(made._id)
    assert.equal((await importsOf(made._id)).length, 2)
    await video_sources.remove(made._id)
    await assert.rejects(video_sources.get(made._id), { status: 404, message: 'Video source not found' })
    const [, two] = response
    assert.equal((await api.as('admin').videos.get(two?.video_id ?? '')).title, 'Two')
    assert.equal((await video_imports.get(two?._id ?? '')).video_source_id, null)
  })

test('videos follow changes of the feed unless sync_video_data_source is off', async () => {
  const { video_sources, videos } = api.as('admin')
  const { _id } = await video_sources.create(fields())
  serve(feed(item('a', 'Before'), item('b', 'Same')))
  await refreshed(_id)
  const [video_id = '', same = ''] = await videosOf(_id)
  await videos.update(same, { title: 'Mine' })
  serve(feed(item('a', 'After'), item('b', 'Same')))
  assert.equal((await refreshed(_id)).changed_count, 1)
  assert.equal((await videos.get(video_id)).title, 'After')
  assert.equal((await videos.get(same)).title, 'Mine')
  await video_sources.update(_id, { sync_video_data_source: false })
  serve(feed(item('a', 'Later')))
  assert.equal((await refreshed(_id)).changed_count, 0)
  assert.equal((await videos.get(video_id)).title, 'After')
})

test("with auto_add off imports wait, and their videos get the feed's data when they are created", async () => {
  const { video_sources, video_imports, videos } = api.as('admin')
  const { _id } = await video_sources.create({ ...fields(), auto_add: false, auto_activate: false })
  serve(feed(item('w', 'Waits')))
  await refreshed(_id)
  const [held] = await importsOf(_id)
  assert.deepEqual([held?.video_id, held?.status], [null, 'created'])
  serve(feed(item('w', 'Waits no more')))
  await refreshed(_id)
  const begun = await video_imports.addVideo(held?._id ?? '')
  const video = await videos.get(begun.video_id ?? '')
  assert.deepEqual(
    [video.title, video.keywords, video.published_at, video.mrss_id, video.active],
    ['Waits no more', ['a', 'b'], '2026-03-15T10:00:00.000Z', 'w', false],
  )
  serve(feed(item('w', 'Followed')))
  await refreshed(_id)
  assert.equal((await videos.get(video._id)).title, 'Followed')
})

test('only items of the selected days and categories are imported, with values of a category', async () => {
  const { video_sources, videos, categories } = api.as('admin')
  const genre = await categories.create({ title: 'Genre', values: ['News', 'Sport'] })
  const sport = item('s', 'Sport', '<media:category>sport</media:category><category>Ball</category>')
  serve(feed(sport, item('n', 'Other', '<category>News</category>')))
  const wanted = { mrss_category_values: ['SPORT'], category_id: genre._id, import_from: '2026-03-15' }
  const { _id } = await video_sources.create({ ...fields(), ...wanted })
  const read = await refreshed(_id)
  assert.deepEqual([read.video_count, read.skipped_count], [1, 1])
  const [video_id = ''] = await videosOf(_id)
  assert.deepEqual(
    (await videos.get(video_id)).categories.map(({ title, value }) => [title, value]),
    [['Genre', ['Sport']]],
  )
  await categories.remove(genre._id)
  assert.equal((await video_sources.get(_id)).category_id, null)
  const none = await video_sources.create({ ...fields(), import_to: '2026-03-01' })
  assert.equal((await refreshed(none._id)).video_count, 0)
})

test('with auto_deactivate items that leave the feed become inactive until they return; an empty feed hides nothing', async () => {
  const { video_sources, videos } = api.as('admin')
  const { _id } = await video_sources.create({ ...fields(), auto_deactivate: true })
  const isActive = async (id = '') => (await videos.get(id)).active
  serve(feed(item('x', 'Stays'), item('y', 'Goes'), item('z', 'Hidden by hand')))
  await refreshed(_id)
  const [stays, goes, hidden = ''] = await videosOf(_id)
  await videos.update(hidden, { active: false })
  serve(feed())
  await refreshed(_id)
  assert.equal(await isActive(goes), true)
  serve(feed(item('x', 'Stays')))
  await refreshed(_id)
  assert.deepEqual([await isActive(stays), await isActive(goes)], [true, false])
  // A video activated by hand stays active.
  for (const id of [goes ?? '', hidden]) await videos.update(id, { active: true })
  serve(feed(item('x', 'Stays'), item('w', 'New')))
  await refreshed(_id)
  assert.deepEqual([await isActive(goes), await isActive(hidden)], [true, true])
  serve(feed(item('y', 'Goes'), item('z', 'Hidden by hand')))
  await refreshed(_id)
  const now = [await isActive(stays), await isActive(goes), await isActive(hidden)]
  assert.deepEqual([...now, await videosOf(_id)], [false, true, true, [goes, hidden]])
})

test('a feed that cannot be read is reported in the record, retried with growing pauses, and hides nothing', async () => {
  const { video_sources } = api.as('admin')
  const { _id } = await video_sources.create({ ...fields(), auto_deactivate: true })
  let pause = 0
  for (const [body, status, why] of [
    ['no', 404, /answered 404\. Nothing is at this address/],
    ['no', 403, /must be readable without signing in/],
    ['<rss', 200, /not well-formed/],
    ['<html/>', 200, /not a feed: its root element is html.*Give the address of the feed itself/],
    ['<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss/>', 200, /declarations of its own/],
  ] as const) {
    serve(body, status)
    const { status: now, status_reason, refresh_at, refreshed_at } = await refreshed(_id)
    assert.equal(now, 'failed')
    assert.match(status_reason ?? '', why)
    const next = Math.round((Date.parse(refresh_at) - Date.parse(refreshed_at ?? '')) / 60_000)
    assert.equal(next, pause === 0 ? 5 : pause * 2)
    pause = next
  }
  assert.match((await refreshed(_id, contextOf(api))).status_reason ?? '', /not on the public internet/)
  for (let more = 0; more < 5; more += 1) await refreshed(_id, contextOf(api))
  assert.ok(Date.parse((await video_sources.get(_id)).refresh_at) - Date.now() <= 24 * 3_600_000)
  serve(feed(item('f', 'F')))
  const read = await refreshed(_id)
  assert.deepEqual([read.status, read.status_reason], ['ready', null])
  serve('<rss', 200)
  await refreshed(_id)
  const [video_id = ''] = await videosOf(_id)
  assert.equal((await api.as('admin').videos.get(video_id)).active, true)
})

test('an unchanged feed is not transferred again unless its settings change', async () => {
  const { video_sources } = api.as('admin')
  const asked: (string | undefined)[] = []
  server.answer((request, reply) => {
    asked.push(request.headers['if-none-match'] ?? (request.headers['if-modified-since'] && 'since'))
    if (request.headers['if-none-match'] === '"v1"') return reply.writeHead(304).end()
    reply.writeHead(200, { etag: '"v1"', 'last-modified': 'Sun, 15 Mar 2026 10:00:00 GMT' })
    reply.end(feed(item('e', 'E', '<category>News</category>')))
  })
  const { _id } = await video_sources.create({ ...fields(), mrss_category_values: ['Sport'] })
  assert.equal((await refreshed(_id)).video_count, 0)
  const same = await refreshed(_id)
  assert.deepEqual([same.status, same.found_count, asked], ['ready', 1, [undefined, '"v1"']])
  await video_sources.update(_id, { mrss_category_values: [] })
  assert.equal((await refreshed(_id)).video_count, 1)
  await video_sources.refresh(_id)
  await refreshed(_id)
  assert.deepEqual(asked.slice(2), [undefined, undefined])
})

test('a killed read is resumed, and concurrent reads import nothing twice', async () => {
  const { video_sources } = api.as('admin')
  const { _id } = await video_sources.create(fields())
  serve(feed(item('1', 'One'), item('2', 'Two'), item('3', 'Three')))
  const stopping = new AbortController()
  const { signal } = stopping
  let steps = 0
  signal.throwIfAborted = () => {
    steps += 1
    if (steps <= 2) return
    stopping.abort()
    throw new Error('killed')
  }
  await assert.rejects(refreshed(_id, { ...context(), signal }), /killed/)
  const half = await video_sources.get(_id)
  assert.deepEqual([half.status, (await importsOf(_id)).length], ['created', 2])
  await Promise.all([refreshed(_id), refreshed(_id)])
  const whole = await video_sources.get(_id)
  assert.deepEqual([whole.status, whole.video_count, (await importsOf(_id)).length], ['ready', 3, 3])
})

test('sources are read when they are due and on request', async () => {
  const { db } = api.database
  const { video_sources } = api.as('admin')
  const { _id } = await video_sources.create({ ...fields(), sync_interval: 'hourly' })
  const key = `refresh-source:${_id}`
  const forget = () => db`select graphile_worker.remove_job(${key})`
  await forget()
  await refreshDue.run({}, context())
  assert.equal(await waiting(key), 0)
  await db`update video_sources set refresh_at = now() where _id = ${_id}`
  await refreshDue.run({}, context())
  assert.equal(await waiting(key), 1)
  const next = Date.parse((await video_sources.get(_id)).refresh_at) - Date.now()
  assert.ok(next > 3_500_000 && next <= 3_600_000)
  await forget()
  await video_sources.refresh(_id)
  assert.equal(await waiting(key), 1)
})

test('the fields of a source are checked, and records of another channel are not found', async () => {
  const { video_sources } = api.as('admin')
  const them = api.other.as('admin')
  const theirs = await them.categories.create({ title: 'Theirs' })
  const { _id } = await video_sources.create(fields())
  const refused = (more: object) => video_sources.create({ ...fields(), ...more })
  await assert.rejects(refused({ url: 'http://a:b@films.example/' }), { status: 422 })
  await assert.rejects(refused({ url: 'http://192.168.0.1/feed.xml' }), { status: 422 })
  await assert.rejects(refused({ url: 'ftp://films.example/' }), { status: 422 })
  await assert.rejects(refused({ type: 'youtube' }), { status: 422 })
  assert.deepEqual((await video_sources.list({ type: 'youtube' } as never)).response, [])
  await assert.rejects(video_sources.list({ type: 'nothing' } as never), { status: 422 })
  await assert.rejects(refused({ import_from: '2026-03-02', import_to: '2026-03-01' }), {
    errors: { import_to: ['must not be before import_from'] },
  })
  await assert.rejects(video_sources.create({ url: fields().url } as never), {
    errors: { type: ['is required'] },
  })
  const foreign = { category_id: theirs._id }
  await assert.rejects(refused(foreign), { status: 404, message: 'Category not found' })
  await assert.rejects(video_sources.update(_id, foreign), { status: 404 })
  for (const call of [them.video_sources.get, them.video_sources.refresh, them.video_sources.remove])
    await assert.rejects(call(_id), { status: 404, message: 'Video source not found' })
  await assert.rejects(them.video_sources.update(_id, { name: 'x' }), { status: 404 })
  await assert.rejects(them.video_imports.list({ video_source_id: _id }), { status: 404 })
  const form = new URLSearchParams({ type: 'mrss', 'video_source[url]': fields().url })
  form.append('video_source[mrss_category_values][]', 'News')
  const reply = await ask(`${api.url}/video_sources?api_key=${api.channel.keys.admin}`, 'json', {
    method: 'POST',
    body: form,
  })
  assert.deepEqual([reply.status, reply.body.response.mrss_category_values], [201, ['News']], reply.text)
})
