import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, test } from 'node:test'
import * as tus from 'tus-js-client'
import { expireUploads } from '../../packages/server/src/jobs/expire-uploads.job.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared } from '../support/media.js'
import {
  assertNothing,
  assertStored,
  bytesType,
  callsTo,
  clear,
  codeOf,
  type Fields,
  inBase64,
  metadataOf,
} from './tus-calls.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
beforeEach(() => clear(api))
after(() => api.stop())

const { send, announce, begin, append, offsetAt } = callsTo(() => api)

test('a film sent in pieces, with a key only in the first request, can be played', async () => {
  const content = await readFile(await makeClip())
  const address = await begin(content.length, { filename: 'A walk.mp4', 'video[description]': 'Grüße' })
  assert.equal(await offsetAt(address), 0)
  const step = Math.ceil(content.length / 3)
  let reply: Response | undefined
  for (let at = 0; at < content.length; at += step) {
    assert.equal(reply?.headers.get('x-video-id') ?? null, null)
    reply = await append(address, at, content.subarray(at, at + step))
    assert.equal(reply.status, 204)
    assert.equal(reply.headers.get('upload-offset'), String(Math.min(at + step, content.length)))
    assert.ok(Date.parse(reply.headers.get('upload-expires') ?? '') > Date.now() + 23 * 3_600_000)
  }
  const id = reply?.headers.get('x-video-id') ?? ''
  await assertStored(api, id, content)
  const worker = openWorker(api)
  try {
    const video = await untilPrepared(api, id)
    assert.deepEqual([video.title, video.description, video.status], ['A walk', 'Grüße', 'ready'])
    const playlist = await fetch(`${api.url}/manifest/${id}.m3u8?api_key=${api.channel.keys.player}`)
    assert.match(await playlist.text(), /^#EXTM3U/)
  } finally {
    await worker.stop()
  }
})

test('a tus client uploads a film', async () => {
  const path = await makeClip()
  const content = await readFile(path)
  let video_id = ''
  await new Promise<void>((resolve, reject) => {
    const upload = new tus.Upload(createReadStream(path), {
      endpoint: `${api.url}/uploads/tus?api_key=${api.channel.keys.admin}`,
      uploadSize: content.length,
      chunkSize: 20_000,
      uploadDataDuringCreation: true,
      retryDelays: null,
      metadata: { filename: 'walk.mp4', title: 'By a client', filetype: 'video/mp4' },
      onAfterResponse: (_request, reply) => {
        video_id = reply.getHeader('x-video-id') ?? ''
      },
      onSuccess: () => resolve(),
      onError: reject,
    })
    upload.start()
  })
  await assertStored(api, video_id, content)
  assert.equal((await api.as('admin').videos.get(video_id)).title, 'By a client')
})

test('OPTIONS returns the capabilities, with or without a key', async () => {
  const reply = await fetch(`${api.url}/uploads/tus`, { method: 'OPTIONS' })
  assert.equal(reply.status, 204)
  const expected = {
    'tus-resumable': '1.0.0',
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,termination,checksum,expiration',
    'tus-max-size': String(api.media.maxUploadBytes),
    'tus-checksum-algorithm': 'sha1,md5,sha256',
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(reply.headers.get(name), value)
})

test('pages of any origin may upload', async () => {
  const origin = 'https://studio.example'
  const asked = { origin, 'access-control-request-method': 'PATCH' }
  const preflight = await fetch(`${api.url}/uploads/tus/x`, { method: 'OPTIONS', headers: asked })
  for (const method of ['HEAD', 'POST', 'PATCH', 'DELETE'])
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', new RegExp(`\\b${method}\\b`))
  const reply = await announce(5, { origin })
  const exposed = reply.headers.get('access-control-expose-headers')?.split(', ') ?? []
  for (const name of [
    'Location',
    'Upload-Offset',
    'Upload-Length',
    'Upload-Expires',
    'Tus-Resumable',
    'X-Video-Id',
  ])
    assert.ok(exposed.includes(name), name)
})

test('a wrong offset returns 409 and changes nothing', async () => {
  const address = await begin(10)
  await append(address, 0, 'abc')
  for (const wrong of [0, 2, 4, 10]) {
    const reply = await append(address, wrong, 'x')
    assert.equal(reply.headers.get('tus-resumable'), '1.0.0')
    assert.deepEqual(await codeOf(reply), [409, 'conflict'])
  }
  assert.equal(await offsetAt(address), 3)
})

test('bytes with a wrong checksum are discarded', async () => {
  const address = await begin(10)
  for (const algorithm of ['sha1', 'md5', 'sha256']) {
    const wrong = `${algorithm} ${createHash(algorithm).update('other').digest('base64')}`
    assert.deepEqual(await codeOf(await append(address, 0, 'hello', { 'upload-checksum': wrong })), [
      460,
      'checksum_mismatch',
    ])
  }
  for (const odd of ['sha512 AAAA', 'sha1', 'sha1 ???', ''])
    assert.equal((await append(address, 0, 'hello', { 'upload-checksum': odd })).status, 400, odd)
  assert.equal(await offsetAt(address), 0)
  const right = `sha1 ${createHash('sha1').update('hello').digest('base64')}`
  assert.equal((await append(address, 0, 'hello', { 'upload-checksum': right })).status, 204)
  assert.equal(await offsetAt(address), 5)
})

test('a terminated upload leaves nothing; a finished one is a video', async () => {
  const address = await begin(10)
  await append(address, 0, 'abc')
  assert.equal((await send('DELETE', address)).status, 204)
  await assertNothing(api)
  for (const method of ['HEAD', 'DELETE']) assert.equal((await send(method, address)).status, 404)
  assert.equal((await append(address, 3, 'abc')).status, 404)

  const whole = await begin(3)
  const id = (await append(whole, 0, 'abc')).headers.get('x-video-id') ?? ''
  assert.equal((await send('DELETE', whole)).status, 403)
  await assertStored(api, id, Buffer.from('abc'))
})

const expire = () =>
  expireUploads.run(undefined, {
    database: api.database,
    media: api.media,
    log: { info: () => {} },
  } as unknown as Parameters<typeof expireUploads.run>[1])

test('an upload without new bytes for a day is removed', async () => {
  const address = await begin(10)
  await append(address, 0, 'abc')
  await expire()
  assert.equal(await offsetAt(address), 3)
  await api.database.db`update uploads set expires_at = now()`
  assert.equal((await send('HEAD', address)).status, 410)
  assert.equal((await append(address, 3, 'abc')).status, 410)
  await expire()
  await assertNothing(api)
})

test('a finished upload is forgotten after a day, and its video stays', async () => {
  const address = await begin(3)
  const id = (await append(address, 0, 'abc')).headers.get('x-video-id') ?? ''
  await api.database.db`update uploads set expires_at = now()`
  await expire()
  assert.equal((await send('HEAD', address)).status, 404)
  await assertStored(api, id, Buffer.from('abc'))
})

test('a file that is too large returns 413, when announced and when received', async () => {
  assert.deepEqual(await codeOf(await announce(api.media.maxUploadBytes + 1)), [413, 'too_large'])
  await assertNothing(api)
  const address = await begin(5)
  assert.equal((await append(address, 0, 'longer than five')).status, 413)
  const streamed = await fetch(api.url + address, {
    method: 'PATCH',
    headers: { 'tus-resumable': '1.0.0', 'content-type': bytesType, 'upload-offset': '0' },
    body: new Blob(['longer than five']).stream(),
    duplex: 'half',
  } as RequestInit)
  assert.equal(streamed.status, 413)
  assert.equal(await offsetAt(address), 0)
})

test('an upload for a video that exists gives it another file', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Kept' })
  const address = await begin(3, { video_id: _id, filename: 'x.mp4' })
  assert.equal((await append(address, 0, 'abc')).headers.get('x-video-id'), _id)
  const { title, status } = await api.as('admin').videos.get(_id)
  assert.deepEqual([title, status], ['Kept', 'processing'])

  const late = await begin(3, { video_id: _id })
  await api.as('admin').videos.remove(_id)
  assert.equal((await append(late, 0, 'abc')).status, 404)
  assert.equal((await send('HEAD', late)).status, 404)
})

test('an upload that cannot become a video is rejected before a byte is sent', async () => {
  const foreign = await api.other.as('admin').videos.create({ title: 'Of another channel' })
  const upload = async (fields: Fields) =>
    (await announce(5, { 'upload-metadata': metadataOf(fields) })).status
  assert.equal(await upload({ video_id: foreign._id }), 404)
  assert.equal(await upload({ video_id: '../x' }), 404)
  assert.equal(await upload({ 'video[active]': 'perhaps' }), 422)
  assert.equal(await upload({ video_id: foreign._id, 'video[title]': 'x' }), 422)
  for (const odd of ['title ???', 'title aGk= more', 'title /w=='])
    assert.equal((await announce(5, { 'upload-metadata': odd })).status, 422, odd)
  for (const length of ['', '-1', '1.5', '0', '1e3', '9'.repeat(20)])
    assert.equal((await announce(length)).status, 422, length)
  await api.database.db`delete from videos`
  await assertNothing(api)
})

test('only the admin key may create an upload', async () => {
  const statuses = []
  for (const key of ['', 'wrong', api.channel.keys.read_only, api.channel.keys.player])
    statuses.push((await announce(5, { 'x-api-key': key })).status)
  assert.deepEqual(statuses, [401, 401, 403, 403])
  await assertNothing(api)
})

test('the first piece may come with the creation; if it is rejected, nothing is left', async () => {
  const whole = await announce(5, { 'content-type': bytesType }, 'hello')
  assert.deepEqual([whole.status, whole.headers.get('upload-offset')], [201, '5'])
  await assertStored(api, whole.headers.get('x-video-id') ?? '', Buffer.from('hello'))
  const first = await announce(5, { 'content-type': bytesType }, 'hel')
  assert.deepEqual([first.status, first.headers.get('upload-offset')], [201, '3'])
  await api.database.db`delete from uploads`
  const wrong = { 'content-type': bytesType, 'upload-checksum': `sha1 ${inBase64('no')}` }
  assert.equal((await announce(5, wrong, 'hello')).status, 460)
  assert.deepEqual([...(await api.database.db`select from uploads`)], [])
})

test('concatenation and deferred lengths are rejected before anything is created', async () => {
  for (const name of ['upload-concat', 'upload-defer-length']) {
    const reply = await announce(10, { [name]: '1' })
    assert.deepEqual(await codeOf(reply), [422, 'invalid'])
    assert.equal(reply.headers.get('location'), null)
  }
})

test('a request of another tus version is rejected with the supported one', async () => {
  const address = await begin(5)
  for (const version of ['0.2.2', '']) {
    const reply = await append(address, 0, 'hello', { 'tus-resumable': version })
    assert.equal(reply.headers.get('tus-version'), '1.0.0')
    assert.deepEqual(await codeOf(reply), [412, 'precondition_failed'])
  }
  assert.deepEqual(await codeOf(await append(address, 0, 'hello', { 'content-type': 'video/mp4' })), [
    415,
    'unsupported_media_type',
  ])
  assert.equal((await append(address, 0, 'hello', { 'upload-offset': 'x' })).status, 422)
  for (const [method, place] of [
    ['GET', address],
    ['PUT', address],
    ['PATCH', '/uploads/tus'],
  ] as const) {
    const reply = await send(method, place)
    assert.equal(reply.status, 405)
    assert.match(reply.headers.get('allow') ?? '', /^OPTIONS, /)
  }
  for (const odd of ['x', 'f'.repeat(24), '..%2f..%2fx', "'"])
    assert.equal((await send('HEAD', `/uploads/tus/${odd}`)).status, 404, odd)
  const overridden = { 'x-http-method-override': 'PATCH', 'content-type': bytesType, 'upload-offset': '0' }
  assert.equal((await send('POST', address, overridden, 'hello')).status, 204)
})
