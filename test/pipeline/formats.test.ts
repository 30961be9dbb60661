import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, uploadClip } from '../support/media.js'
import { joined, outputsOf, probe, rungsOf, until, untilComplete } from './format-clips.js'

let api: TestApi
let worker: ReturnType<typeof openWorker>
let folder: string
let id: string
let source_id: string
before(async () => {
  api = await startOwnApi()
  worker = openWorker(api)
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-formats-'))
  id = (
    await uploadClip(
      api,
      await makeClip({ size: '1920x1080', seconds: 3, rate: '5', keyEvery: 5 }),
      'Every format',
    )
  )._id
  await untilComplete(api, id)
  const [row] = await api.database.db`select media_source_id from videos where _id = ${id}`
  source_id = row?.media_source_id
})
after(async () => {
  await worker.stop()
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

const save = async (name: string, bytes: Buffer) => {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

/** The table in the specification: format, width, height. */
const table = [
  ['hls_240p', 426, 240],
  ['hls_360p', 640, 360],
  ['hls_480p', 854, 480],
  ['hls_720p', 1280, 720],
  ['hls_1080p', 1920, 1080],
] as const

test('the master playlist lists every HLS format that is wanted', async () => {
  assert.deepEqual(
    [...(await rungsOf(api, id)).keys()],
    table.map(([name]) => name),
  )
})

for (const [name, width, height] of table)
  test(`${name} is H.264 of ${width}×${height} in fragmented MP4, as long as the film`, async () => {
    const playlist = (await rungsOf(api, id)).get(name) ?? ''
    const { streams, container, duration } = await probe(await save(`${name}.mp4`, await joined(playlist)))
    assert.deepEqual(streams, [{ codec_name: 'h264', width, height }])
    assert.match(container, /mp4/)
    assert.ok(Math.abs(duration - 3) < 0.1, String(duration))
  })

test('the sound of HLS is AAC in fragmented MP4', async () => {
  const playlist = ((await rungsOf(api, id)).get('hls_240p') ?? '').replace('hls_240p', 'audio')
  const { streams, container } = await probe(await save('audio.mp4', await joined(playlist)))
  assert.deepEqual(streams, [{ codec_name: 'aac' }])
  assert.match(container, /mp4/)
})

test('the outputs are the playlist, the MP4 and the WebM', async () => {
  const outputs = await outputsOf(api, id)
  assert.deepEqual(
    outputs.map(({ name }) => name),
    ['m3u8', 'mp4', 'webm'],
  )
})

const download = async (name: string) => {
  const url = (await outputsOf(api, id)).find((output) => output.name === name)?.url ?? ''
  const reply = await fetch(url)
  assert.equal(reply.status, 200)
  return { url, reply, bytes: Buffer.from(await reply.arrayBuffer()) }
}

test('mp4_360p is H.264 of 640×360 with AAC in one MP4, its index in front', async () => {
  const { reply, bytes } = await download('mp4')
  assert.equal(reply.headers.get('content-type'), 'video/mp4')
  const { streams, container, duration } = await probe(await save('file.mp4', bytes))
  assert.deepEqual(streams, [{ codec_name: 'h264', width: 640, height: 360 }, { codec_name: 'aac' }])
  assert.match(container, /mp4/)
  assert.ok(Math.abs(duration - 3) < 0.1, String(duration))
  assert.ok(bytes.indexOf('moov') > 0 && bytes.indexOf('moov') < bytes.indexOf('mdat'))
  assert.equal(bytes.indexOf('moof'), -1)
})

test('webm_360p is VP9 of 640×360 with Opus in one WebM', async () => {
  const { reply, bytes } = await download('webm')
  assert.equal(reply.headers.get('content-type'), 'video/webm')
  const { streams, container, duration } = await probe(await save('file.webm', bytes))
  assert.deepEqual(streams, [{ codec_name: 'vp9', width: 640, height: 360 }, { codec_name: 'opus' }])
  assert.match(container, /webm/)
  assert.ok(Math.abs(duration - 3) < 0.1, String(duration))
})

test('any part of a file can be asked for', async () => {
  const { url, bytes } = await download('mp4')
  const middle = await fetch(url, { headers: { range: 'bytes=1000-1999' } })
  assert.equal(middle.status, 206)
  assert.equal(middle.headers.get('content-range'), `bytes 1000-1999/${bytes.length}`)
  assert.ok(Buffer.from(await middle.arrayBuffer()).equals(bytes.subarray(1000, 2000)))
  const end = await fetch(url, { headers: { range: 'bytes=-10' } })
  assert.ok(Buffer.from(await end.arrayBuffer()).equals(bytes.subarray(-10)))
  assert.equal((await fetch(url, { headers: { range: `bytes=${bytes.length}-` } })).status, 416)
  const head = await fetch(url, { method: 'HEAD' })
  assert.equal(head.headers.get('content-length'), String(bytes.length))
  const known = await fetch(url, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } })
  assert.equal(known.status, 304)
})

test('the record lists every format, with its size and how far it is', async () => {
  const { renditions } = await api.as('admin').videos.get(id)
  assert.deepEqual(
    renditions.map(({ name, status, progress, width, height }) => [name, status, progress, width, height]),
    [...table, ['mp4_360p', 640, 360], ['webm_360p', 640, 360]].map(([name, width, height]) => [
      ...[name, 'ready', 100, width, height],
    ]),
  )
  const sizes = new Map(renditions.map(({ name, filesize }) => [name, filesize]))
  for (const { bitrate, filesize } of renditions) assert.ok((bitrate ?? 0) > 0 && (filesize ?? 0) > 0)
  for (const [file, name] of [
    ['mp4', 'mp4_360p'],
    ['webm', 'webm_360p'],
  ] as const)
    assert.equal(sizes.get(name), (await download(file)).bytes.length)
})

test('the pieces that a WebM was joined from are not kept', async () => {
  const rows = await api.database.db`
    select from media_windows where source_id = ${source_id} and track = 'webm_360p'
  `
  assert.equal(rows.length, 0)
  for await (const { key } of api.media.storage.list(`segments/${source_id}/webm_360p`)) assert.fail(key)
})

test('no playlist leads to the pictures of WebM, and no other file is there', async () => {
  const playlist = (await rungsOf(api, id)).get('hls_240p') ?? ''
  for (const path of ['webm_360p/index.m3u8', 'webm_360p/0.m4s', 'hls_240p.mp4', 'source'])
    assert.equal((await fetch(playlist.replace('hls_240p/index.m3u8', path))).status, 404, path)
})

test('sound alone becomes an MP4 and a WebM of sound', async () => {
  const clip = await makeClip({ codec: 'none', container: 'm4a', seconds: 3 })
  const video = await uploadClip(api, clip, 'Song')
  const { renditions } = await untilComplete(api, video._id)
  assert.deepEqual(
    renditions.map(({ name, width }) => [name, width]),
    [
      ['mp4_360p', null],
      ['webm_360p', null],
    ],
  )
  const outputs = await outputsOf(api, video._id)
  for (const [name, codec] of [
    ['mp4', 'aac'],
    ['webm', 'opus'],
  ] as const) {
    const reply = await fetch(outputs.find((output) => output.name === name)?.url ?? '')
    const path = await save(`sound.${name}`, Buffer.from(await reply.arrayBuffer()))
    assert.deepEqual((await probe(path)).streams, [{ codec_name: codec }])
  }
})

test('a portrait smaller than every wanted format is published at its own size', async () => {
  const wish = { hls_240p: 'false', hls_360p: 'false', hls_480p: 'false', webm_360p: 'false' }
  const clip = await makeClip({ size: '202x358', seconds: 2, audio: 'none' })
  const { _id } = await uploadClip(api, clip, 'Small')
  await api.as('admin').videos.update(_id, { formats: wish })
  const { renditions } = await until(
    api,
    _id,
    ({ complete_at, renditions }) => complete_at !== null && renditions.length === 2,
  )
  assert.deepEqual(
    renditions.map(({ name, width, height }) => [name, width, height]),
    [
      ['hls_240p', 202, 358],
      ['mp4_360p', 202, 358],
    ],
  )
  assert.equal((await rungsOf(api, _id)).size, 1)
})
