import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sweepMedia } from '../../packages/server/src/jobs/sweep-media.job.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { contextOf, openWorker, uploadFilm } from '../support/media.js'
import { askMaster, outputsOf, rungsOf, until, untilComplete } from './format-clips.js'

let api: TestApi
let worker: ReturnType<typeof openWorker>
let id: string
let source_id: string
before(async () => {
  api = await startOwnApi()
  worker = openWorker(api)
  id = await upload({ 'video[title]': 'Changing' })
  await untilComplete(api, id)
  source_id = await sourceOf(id)
})
after(async () => {
  await worker.stop()
  await api.stop()
})

/** Small enough to make every format cheap, large enough for three rungs of HLS. */
const upload = async (fields: Record<string, string>) =>
  (await uploadFilm(api, await makeClip({ size: '854x96', seconds: 2, rate: '10', keyEvery: 10 }), fields))
    ._id
const sourceOf = async (video_id: string): Promise<string> => {
  const [row] = await api.database.db`select media_source_id from videos where _id = ${video_id}`
  return row?.media_source_id
}
const formats = () => api.as('admin').formats
const namesOf = (renditions: readonly { name: string }[]) => renditions.map(({ name }) => name)
/** Waits until a cached permission has expired. */
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
const costs = () => api.as('admin').format_costs.get()
const costOf = async (name: string) => {
  const found = (await costs()).formats.find(({ format }) => format === name)
  assert.ok(found, name)
  return found
}
const sizeOf = async (place: string, isCounted = (_key: string) => true) => {
  let size = 0
  for await (const object of api.media.storage.list(place)) if (isCounted(object.key)) size += object.size
  return size
}
const isSegment = (key: string) => !key.endsWith('init.mp4')
const sizeOfSegments = (track: string) => sizeOf(`segments/${source_id}/${track}`, isSegment)

test('what each format costs is what is stored of it and the time that it took', async () => {
  const told = await costs()
  const [source] = await api
    .as('admin')
    .sources.list(id)
    .then(({ response }) => response)
  assert.deepEqual([told.films, told.film_seconds], [1, source?.duration])
  assert.equal(told.source_bytes, source?.bytes)
  assert.equal(told.sound_bytes, await sizeOfSegments('audio'))
  for (const { format, films, bytes, ...cost } of told.formats) {
    const isFile = (key: string) => key.includes(format)
    const stored = format.startsWith('hls') ? sizeOfSegments(format) : sizeOf(`files/${source_id}`, isFile)
    assert.equal(bytes, await stored, format)
    const isThere = every.includes(format)
    assert.deepEqual([cost.on, films, cost.freed_bytes], [true, isThere ? 1 : 0, bytes], format)
    assert.equal(cost.bytes_per_hour, isThere ? Math.round((bytes / told.film_seconds) * 3600) : null, format)
    assert.deepEqual(
      [cost.encoding_seconds > 0, cost.encoding_seconds_per_minute !== null],
      [isThere, isThere],
    )
    assert.deepEqual([cost.estimated_films, cost.estimated_bytes], [0, 0], format)
    assert.ok(cost.estimated_bytes_per_hour > 0, format)
  }
  const parts = told.formats.reduce((sum, { bytes }) => sum + bytes, told.sound_bytes)
  assert.equal(told.made_bytes, parts)
  const [share = 0] = told.formats.map((cost) => cost.share)
  assert.ok(Math.abs(share - (told.formats[0]?.bytes ?? 0) / (told.source_bytes + parts)) < 0.001)
})

test('where no film is, every format has an estimate for an hour and nothing else', async () => {
  const told = await api.other.as('admin').format_costs.get()
  assert.deepEqual([told.films, told.source_bytes, told.made_bytes, told.formats.length], [0, 0, 0, 7])
  for (const { estimated_bytes_per_hour, format, on, ...cost } of told.formats) {
    assert.ok(on && estimated_bytes_per_hour > 50e6, format)
    assert.deepEqual(new Set(Object.values(cost)), new Set([0, null]), format)
  }
})

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
  const off360 = await costOf('hls_360p')
  assert.deepEqual([off360.on, off360.freed_bytes, off360.estimated_films], [false, 0, 0])
  await formats().update({ hls_360p: true, webm_360p: true })
  const on = await until(api, id, ({ renditions }) => renditions.length === 5)
  assert.deepEqual([namesOf(on.renditions), on.complete_at], [every, off.complete_at])
  assert.deepEqual(await everyWindow(), made)
  assert.equal((await costOf('hls_360p')).encoding_seconds, off360.encoding_seconds)
  await untilKnown()
  assert.equal((await fetch(playlist)).status, 200)
  assert.equal((await api.database.db`select from unwanted_tracks where source_id = ${source_id}`).length, 0)
})

test('a day after it was turned off it is gone from the disk, and is made again when it is wanted', async () => {
  const spent = (await costOf('webm_360p')).encoding_seconds
  await formats().update({ hls_480p: false, webm_360p: false, mp4_360p: false })
  await until(api, id, ({ renditions }) => renditions.length === 2)
  await aDayPasses()
  await sweepMedia.run({}, contextOf(api))

  assert.equal((await windowsOf('hls_480p')) + (await windowsOf('webm_360p.webm')), 0)
  assert.deepEqual(await segmentsOf(`segments/${source_id}/hls_480p`), [])
  assert.deepEqual(await segmentsOf(`files/${source_id}`), [])
  assert.ok((await segmentsOf(`segments/${source_id}/hls_240p`)).length > 0)

  const off = await costOf('webm_360p')
  assert.deepEqual([off.films, off.bytes, off.encoding_seconds, off.estimated_films], [0, 0, spent, 1])
  assert.ok(off.estimated_bytes > 0 && (off.estimated_encoding_seconds ?? 0) > 0)
  // Its pictures are copied, not encoded.
  const copied = await costOf('hls_480p')
  assert.deepEqual([copied.estimated_films, copied.estimated_encoding_seconds], [1, 0])
  assert.ok(copied.estimated_bytes > 0)

  await formats().update({ hls_480p: true, webm_360p: true, mp4_360p: true })
  await until(api, id, ({ renditions, complete_at }) => renditions.length === 5 && complete_at === null)
  const { renditions } = await untilComplete(api, id)
  assert.deepEqual(namesOf(renditions), every)
  assert.deepEqual(namesOf(await outputsOf(api, id)), ['m3u8', 'mp4', 'webm'])
  assert.equal((await segmentsOf(`files/${source_id}`)).length, 2)
  const again = await costOf('hls_480p')
  assert.deepEqual([again.films, again.bytes], [1, await sizeOfSegments('hls_480p')])
  assert.ok((await costOf('webm_360p')).encoding_seconds > spent)
})

test('a format turned on again within a day is kept', async () => {
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
  const { bytes, freed_bytes } = await costOf('hls_240p')
  assert.deepEqual([bytes > 0, freed_bytes], [true, 0])
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
