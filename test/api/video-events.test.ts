import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '@zoetrope/contract'
import { rotateKey } from '../../packages/server/src/auth/keys.js'
import type { Database } from '../../packages/server/src/db/database.js'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { createEventStreams } from '../../packages/server/src/playback/event-streams.js'
import { readNews } from '../../packages/server/src/playback/video-news.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { type EventReader, readEvents, type StreamEvent } from '../support/event-stream.js'
import { contextOf, openWorker, uploadClip, uploadFilm } from '../support/media.js'
import { ask } from './ask.js'

let api: TestApi
let second: Awaited<ReturnType<TestApi['startNode']>>
const opened: EventReader[] = []
before(async () => {
  api = await startOwnApi()
  second = await api.startNode()
})
after(async () => {
  for (const each of opened) each.leave()
  await second.stop()
  await api.stop()
})

async function watch(id: string, { url = api.url, key = api.channel.keys.admin, headers = {} } = {}) {
  const reader = await readEvents(`${url}/videos/${id}/events?api_key=${key}`, headers)
  opened.push(reader)
  return reader
}

const named = (name: string) => (event: StreamEvent) => event.name === name
const newVideo = async (title = 'Watched') => (await api.as('admin').videos.create({ title }))._id

test('a film is watched from its upload to its end, on two servers at once', async () => {
  const id = await newVideo()
  const [here, there] = await Promise.all([watch(id), watch(id, { url: second.url })])
  assert.equal(here.status, 200)
  assert.match(here.headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.equal(here.headers.get('x-accel-buffering'), 'no')
  assert.match(here.headers.get('cache-control') ?? '', /no-store/)
  const first = await here.until(named('status'))
  assert.deepEqual([first.data._id, first.data.status, first.data.renditions], [id, 'created', []])
  assert.match(here.text(), /^retry: \d+\nid: \S+\nevent: status\ndata: /)

  const worker = openWorker(api)
  await uploadFilm(api, await makeClip({ seconds: 4 }), { video_id: id })

  for (const reader of [here, there]) {
    await reader.until(({ name, data }) => name === 'status' && data.status === 'processing')
    const ready = await reader.until(({ name, data }) => name === 'status' && data.status === 'ready')
    assert.ok(ready.data.playable_at)
    assert.equal(ready.data.duration, 4)
    assert.ok(ready.id)
    const pictured = await reader.until(
      ({ name, data }) => name === 'thumbnails' && data.thumbnails.length > 0,
    )
    assert.ok(pictured.data.thumbnails[0].url)
    const last = await reader.until(named('end'))
    assert.equal(last.data.status, 'ready')
    assert.ok(last.data.complete_at)
    await reader.ended
    const progress = reader.events.filter(named('progress')).map(({ data }) => data.progress as number)
    assert.deepEqual(
      progress,
      [...progress].sort((a, b) => a - b),
    )
    assert.equal(progress.at(-1), 100)
    assert.equal(reader.events.at(-1)?.name, 'end')
  }
  await worker.stop()

  // A browser reconnects automatically, and 204 stops it.
  const { id: lastId } = here.events.at(-1) ?? { id: '' }
  assert.equal((await watch(id, { headers: { 'last-event-id': lastId } })).status, 204)
  const late = await watch(id)
  await late.ended
  assert.deepEqual(
    late.events.map(({ name }) => name),
    ['status', 'end'],
  )
  assert.equal(late.events[0]?.data.progress, 100)
})

test('progress events follow each finished window, although the record is rarely written', async () => {
  const { _id, site_id, data_sources } = await uploadClip(api, await makeClip({ seconds: 4 }), 'Pieces')
  const source_id = data_sources[0]?._id ?? ''
  await prepare.run({ site_id, source_id }, contextOf(api))
  const reader = await watch(_id, { url: second.url })
  const first = await reader.until(named('status'))
  const { db } = api.database
  // Inserts windows as a worker in another process does.
  await db`
    insert into media_windows (source_id, track, number, made_at, bytes)
    select ${source_id}, 'hls_240p', number, now(), 1000 from generate_series(1, 100) as number
    on conflict do nothing
  `
  await db`select pg_notify('media_windows', ${`${source_id}/hls_240p/1`})`
  const next = await reader.until(named('progress'))
  assert.notDeepEqual(next.data.renditions, first.data.renditions)
  reader.leave()
})

test('events show how much of an arriving film has been received', async () => {
  const id = await newVideo()
  const { db } = api.database
  const site_id = api.channel.channel._id
  await db`
    insert into uploads (_id, site_id, source_id, video_id, length, file_name, metadata)
    values (${'a'.repeat(24)}, ${site_id}, ${'b'.repeat(24)}, ${id}, 200, 'a.mp4', '')
  `
  const reader = await watch(id)
  const first = await reader.until(named('status'))
  assert.deepEqual(first.data.arrival, { kind: 'upload', progress: 0, bytes: 0, total_bytes: 200 })
  await db`update uploads set "offset" = 50 where video_id = ${id}`
  const next = await reader.until(named('progress'))
  assert.deepEqual(next.data.arrival, { kind: 'upload', progress: 25, bytes: 50, total_bytes: 200 })
  await db`delete from uploads where video_id = ${id}`
  await reader.until(({ name, data }) => name === 'progress' && data.arrival === null)
  reader.leave()
})

test('a film that fails ends the stream with its reason', async () => {
  const path = join(tmpdir(), `zoetrope-notes-${process.pid}.mp4`)
  await writeFile(path, 'These are only notes.')
  const { _id, site_id, data_sources } = await uploadClip(api, path, 'Notes')
  const reader = await watch(_id)
  await prepare.run({ site_id, source_id: data_sources[0]?._id ?? '' }, contextOf(api))
  const failed = await reader.until(({ name, data }) => name === 'status' && data.status === 'failed')
  assert.match(failed.data.status_reason, /not a video or audio file/)
  assert.equal((await reader.until(named('end'))).data.status, 'failed')
  await reader.ended
})

test('if listening on one channel fails, the other is not subscribed twice', async () => {
  const asked: string[] = []
  const listen: Database['listen'] = async (channel, onMessage) => {
    asked.push(channel)
    if (channel === 'media_windows' && asked.filter((each) => each === channel).length === 1)
      throw new Error('The connection was lost')
    await api.database.listen(channel, onMessage)
  }
  const streams = createEventStreams({ ...api.parts, database: { ...api.database, listen } })
  const key = { site_id: api.channel.channel._id, video_id: await newVideo() }
  const news = await readNews(api.parts, key)
  assert.ok(news)
  const credential = { parameter: 'api_key', value: api.channel.keys.admin } as const
  for (let count = 0; count < 3; count += 1) {
    streams.watch(key, news, credential).resume()
    await delay(0)
  }
  assert.deepEqual(asked, ['video_media', 'media_windows', 'media_windows'])
  streams.close()
})

test('removing a video on any server ends its streams', async () => {
  const id = await newVideo()
  const reader = await watch(id, { url: second.url })
  await reader.until(named('status'))
  await api.as('admin').videos.remove(id)
  assert.equal((await reader.until(named('end'))).data.status, 'deleted')
  await reader.ended
  assert.equal((await watch(id)).status, 404)
})

test('revoking a key ends its streams', async () => {
  const { keys, channel } = api.other
  const { _id } = await api.other.as('admin').videos.create({ title: 'Theirs' })
  const reader = await watch(_id, { key: keys.admin })
  await reader.until(named('status'))
  await rotateKey(api.database.db, api.parts.sealer, channel._id, 'admin', 0)
  await reader.ended
  assert.equal(reader.events.filter(named('end')).length, 0)
  assert.equal((await watch(_id, { key: keys.admin })).status, 401)
})

test('only the admin key may listen, and only to videos of its channel', async () => {
  const id = await newVideo()
  const { keys, app_key } = api.channel
  const status = async (query: string, path = `/videos/${id}/events`) =>
    (await ask(`${api.url}${path}${query}`)).status
  assert.deepEqual(
    [
      await status(''),
      await status('?api_key=wrong'),
      await status(`?api_key=${keys.read_only}`),
      await status(`?api_key=${keys.player}`),
      await status(`?app_key=${app_key}`),
      await status(`?api_key=${api.other.keys.player}`),
      await status(`?api_key=${keys.admin}`, `/videos/${'f'.repeat(24)}/events`),
      await status(`?api_key=${keys.admin}`, '/videos/x/events'),
    ],
    [401, 401, 403, 403, 403, 404, 404, 404],
  )
  const head = await fetch(`${api.url}/videos/${id}/events?api_key=${keys.admin}`, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  const post = await ask(`${api.url}/videos/${id}/events`, 'json', { method: 'POST' })
  assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD'])
})

test('a page on another origin may listen', async () => {
  const reader = await watch(await newVideo(), { headers: { origin: 'https://studio.example.com' } })
  assert.equal(reader.headers.get('access-control-allow-origin'), 'https://studio.example.com')
  reader.leave()
})

test('the limit on streams of a channel holds; closed streams free their slot', async () => {
  const id = await newVideo()
  const node = await api.startNode()
  const most = limits.event_streams.value
  const readers = await Promise.all(Array.from({ length: most }, () => watch(id, { url: node.url })))
  for (const reader of readers) await reader.until(named('status'))
  const refused = await ask(`${node.url}/videos/${id}/events?api_key=${api.channel.keys.admin}`)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10'])

  // Every reader gets the change.
  await api.database.db`update videos set status = 'uploading' where _id = ${id}`
  for (const reader of readers)
    await reader.until(({ name, data }) => name === 'status' && data.status === 'uploading')

  readers[0]?.leave()
  let again = await watch(id, { url: node.url })
  for (let tries = 0; tries < 1000 && again.status === 429; tries += 1) {
    await delay(20)
    again = await watch(id, { url: node.url })
  }
  assert.equal(again.status, 200)

  // A stopping server closes the streams at once, without an `end` event.
  await node.stop()
  for (const reader of readers.slice(1)) {
    await reader.ended
    assert.equal(reader.events.filter(named('end')).length, 0)
  }
})
