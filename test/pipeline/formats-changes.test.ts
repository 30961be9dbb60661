import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sweepMedia } from '../../packages/server/src/jobs/sweep-media.job.js'
import { startApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { contextOf, openWorker, uploadFilm } from '../support/media.js'
import { askMaster, outputsOf, rungsOf, until, untilComplete } from './format-clips.js'

let api: TestApi
let worker: ReturnType<typeof openWorker>
let id: string
let source_id: string
before(async () => {
  api = await startApi()
  worker = openWorker(api)
  id = await upload({ 'video[title]': 'Changing' })
  await untilComplete(api, id)
  source_id = await sourceOf(id)
})
after(async () => {
  await worker.stop()
  await api.stop()
})

/** Small enough for every format to cost little, large enough for three of HLS. */
const upload = async (fields: Record<string, string>) =>
  (await uploadFilm(api, await makeClip({ size: '854x480', seconds: 2 }), fields))._id
const sourceOf = async (video_id: string): Promise<string> => {
  const [row] = await api.database.db`select media_source_id from videos where _id = ${video_id}`
  return row?.media_source_id
}
const formats = () => api.as('admin').formats
const namesOf = (renditions: readonly { name: string }[]) => renditions.map(({ name }) => name)
/** So long a permission is believed. */
const untilKnown = () => delay(2100)
const windowsOf = async (track: string) =>
  (await api.database.db`select from media_windows where source_id = ${source_id} and track = ${track}`)
    .length
const segmentsOf = async (place: string) => {
  const keys: string[] = []
  for await (const { key } of api.media.storage.list(place)) keys.push(key)
  return keys
}
const everyWindow = async () => [
  ...(await api.database.db`
    select track, number, made_at from media_windows where source_id = ${source_id} order by track, number
  `),
]
const aDayPasses = () => api.database.db`update unwanted_tracks set since = since - interval '25 hours'`
const every = ['hls_240p', 'hls_360p', 'hls_480p', 'mp4_360p', 'webm_360p']

test('a format that is turned off is out of playlists, outputs and the record, and back at no cost', async () => {
  const rungs = await rungsOf(api, id)
  const outputs = await outputsOf(api, id)
  assert.deepEqual([...rungs.keys()], ['hls_240p', 'hls_360p', 'hls_480p'])
  await formats().update({ hls_360p: false, webm_360p: false })

  assert.deepEqual([...(await rungsOf(api, id)).keys()], ['hls_240p', 'hls_480p'])
  assert.deepEqual(namesOf(await outputsOf(api, id)), ['m3u8', 'mp4'])
  await untilKnown()
  const playlist = rungs.get('hls_360p') ?? ''
  for (const gone of [playlist, playlist.replace('index.m3u8', '0.m4s'), outputs[2]?.url ?? ''])
    assert.equal((await fetch(gone)).status, 404, gone)
  const off = await until(api, id, ({ renditions }) => renditions.length === 3)
  assert.deepEqual(namesOf(off.renditions), ['hls_240p', 'hls_480p', 'mp4_360p'])
  assert.ok(off.complete_at)
  await sweepMedia.run({}, contextOf(api))
  assert.ok((await windowsOf('hls_360p')) > 0)

  const made = await everyWindow()
  await formats().update({ hls_360p: true, webm_360p: true })
  const on = await until(api, id, ({ renditions }) => renditions.length === 5)
  assert.deepEqual([namesOf(on.renditions), on.complete_at], [every, off.complete_at])
  assert.deepEqual(await everyWindow(), made)
  await untilKnown()
  assert.equal((await fetch(playlist)).status, 200)
  assert.equal((await api.database.db`select from unwanted_tracks where source_id = ${source_id}`).length, 0)
})

test('a day after it was turned off it is gone from the disk, and is made again when it is wanted', async () => {
  await formats().update({ hls_480p: false, webm_360p: false, mp4_360p: false })
  await until(api, id, ({ renditions }) => renditions.length === 2)
  await aDayPasses()
  await sweepMedia.run({}, contextOf(api))

  assert.equal((await windowsOf('hls_480p')) + (await windowsOf('webm_360p.webm')), 0)
  assert.deepEqual(await segmentsOf(`segments/${source_id}/hls_480p`), [])
  assert.deepEqual(await segmentsOf(`files/${source_id}`), [])
  assert.ok((await segmentsOf(`segments/${source_id}/hls_240p`)).length > 0)

  await formats().update({ hls_480p: true, webm_360p: true, mp4_360p: true })
  await until(api, id, ({ renditions, complete_at }) => renditions.length === 5 && complete_at === null)
  const { renditions } = await untilComplete(api, id)
  assert.deepEqual(namesOf(renditions), every)
  assert.deepEqual(namesOf(await outputsOf(api, id)), ['m3u8', 'mp4', 'webm'])
  assert.equal((await segmentsOf(`files/${source_id}`)).length, 2)
})

test('what is wanted again before its day is over stays, whatever the note says', async () => {
  await formats().update({ hls_240p: false })
  await until(api, id, ({ renditions }) => renditions.length === 4)
  await aDayPasses()
  await api.database.db`update formats set hls_240p = true where _id = ${api.channel.channel._id}`
  const before = await windowsOf('hls_240p')
  await sweepMedia.run({}, contextOf(api))
  assert.equal(await windowsOf('hls_240p'), before)
  await formats().update({ hls_240p: true })
})

test('a video differs from its channel where it says so, and follows it again', async () => {
  const { videos } = api.as('admin')
  const own = await videos.update(id, { formats: { hls_240p: false, webm_360p: false } })
  assert.deepEqual(namesOf(own.renditions), ['hls_360p', 'hls_480p', 'mp4_360p'])
  assert.deepEqual([...(await rungsOf(api, id)).keys()], ['hls_360p', 'hls_480p'])
  const again = await videos.update(id, { formats: {} })
  assert.deepEqual(namesOf(again.renditions), every)
})

test('without HLS a video is ready when its first file is, and has no playlist', async () => {
  const none = {
    hls_240p: 'false',
    hls_360p: 'false',
    hls_480p: 'false',
    hls_720p: 'false',
    hls_1080p: 'false',
  }
  const fields = Object.entries(none).map(([name, value]) => [`video[formats][${name}]`, value])
  const video_id = await upload({ 'video[title]': 'Files only', ...Object.fromEntries(fields) })
  const ready = await until(api, video_id, ({ status }) => status === 'ready')
  assert.ok(ready.renditions.some(({ status }) => status === 'ready'))
  assert.ok(ready.playable_at)
  const done = await untilComplete(api, video_id)
  assert.deepEqual(namesOf(done.renditions), ['mp4_360p', 'webm_360p'])

  const reply = await askMaster(api, video_id)
  assert.equal(reply.status, 404)
  assert.match(((await reply.json()) as { message: string }).message, /only files/)
  const outputs = await outputsOf(api, video_id)
  assert.deepEqual(namesOf(outputs), ['mp4', 'webm'])
  assert.equal((await fetch(outputs[0]?.url ?? '')).status, 200)
  assert.equal((await fetch((outputs[0]?.url ?? '').replace(/[^/]+$/, 'master.m3u8'))).status, 404)

  const { status, renditions } = await api.as('admin').videos.update(video_id, { formats: {} })
  assert.deepEqual([status, renditions.length], ['ready', 5])
})

test('a video without any format says so, and is ready as soon as it has one', async () => {
  const all = [...every, 'hls_720p', 'hls_1080p'].map((name) => [`video[formats][${name}]`, 'false'])
  const video_id = await upload({ 'video[title]': 'Nothing', ...Object.fromEntries(all) })
  const waiting = await until(api, video_id, ({ status_reason }) => status_reason !== null)
  assert.deepEqual([waiting.status, waiting.complete_at, waiting.renditions], ['processing', null, []])
  assert.match(waiting.status_reason ?? '', /No format is turned on/)
  const shown = await api.as('admin').videos.update(video_id, { formats: {} })
  assert.deepEqual([shown.status, shown.status_reason], ['ready', null])
})

test('a file that is lost is made again when it is looked for', async () => {
  await api.media.storage.removeUnder(`files/${source_id}`)
  await api.database.db`delete from media_windows where source_id = ${source_id} and track = 'mp4_360p.mp4'`
  await api.media.storage.removeUnder(`segments/${source_id}/hls_360p`)
  await formats().update({ hls_1080p: false })
  await until(api, id, ({ complete_at }) => complete_at === null)
  await untilComplete(api, id)
  assert.ok((await segmentsOf(`files/${source_id}`)).some((key) => key.endsWith('.mp4')))
})
