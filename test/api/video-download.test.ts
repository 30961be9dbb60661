import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { openDownload, signDownload } from '../../packages/server/src/films/source-download.js'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { asAttachment } from '../../packages/server/src/lib/as-attachment.js'
import { formats, startApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { contextOf, uploadClip } from '../support/media.js'
import { ask } from './ask.js'
import { film, upload } from './upload-requests.js'

let api: TestApi
let clip: Buffer
let playing: { _id: string; source_id: string }
before(async () => {
  api = await startApi()
  const path = await makeClip({ seconds: 2 })
  clip = await readFile(path)
  const { _id, site_id, data_sources } = await uploadClip(api, path, 'Film')
  const source_id = data_sources[0]?._id ?? ''
  await prepare.run({ site_id, source_id }, contextOf(api))
  playing = { _id, source_id }
})
after(() => api.stop())

const downloadOf = (id: string) => api.as('admin').downloads.get(id)
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

for (const format of formats)
  test(`the file comes back as it went in, to the byte (${format})`, async () => {
    const { url, filesize, file_name, content_type, expires_at } = await api
      .as('admin', format)
      .downloads.get(playing._id)
    assert.deepEqual([filesize, file_name, content_type], [clip.length, 'clip.mp4', 'video/mp4'])
    const left = new Date(expires_at).getTime() - Date.now()
    assert.ok(left > 3_500_000 && left <= 3_600_000)

    const reply = await fetch(url)
    assert.equal(reply.status, 200)
    assert.equal(digest(new Uint8Array(await reply.arrayBuffer())), digest(clip))
    const { headers } = reply
    assert.deepEqual(
      [headers.get('content-type'), headers.get('cache-control'), headers.get('content-length')],
      ['video/mp4', 'private, no-store', String(clip.length)],
    )
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="clip.mp4"; filename*=UTF-8''clip.mp4`,
    )
  })

test('downloads support ranges and can be resumed', async () => {
  const { url } = await downloadOf(playing._id)
  const whole = await fetch(url, { method: 'HEAD' })
  assert.deepEqual([whole.status, whole.headers.get('accept-ranges')], [200, 'bytes'])
  const etag = whole.headers.get('etag') ?? ''

  const part = await fetch(url, { headers: { range: 'bytes=100-199', 'if-range': etag } })
  assert.equal(part.status, 206)
  assert.equal(part.headers.get('content-range'), `bytes 100-199/${clip.length}`)
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), clip.subarray(100, 200))

  const end = await fetch(url, { headers: { range: 'bytes=-50' } })
  assert.deepEqual(Buffer.from(await end.arrayBuffer()), clip.subarray(-50))
  assert.equal((await fetch(url, { headers: { range: `bytes=${clip.length}-` } })).status, 416)
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
  const changed = await fetch(url, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } })
  assert.deepEqual([changed.status, (await changed.arrayBuffer()).byteLength], [200, clip.length])
})

test('a file that failed or is not prepared yet can be downloaded under its own name', async () => {
  const made = await upload(api, [['source', film('My "notes"'), 'Süße/Filme — 100%.mp4']])
  const video_id = String(made.body.response._id)
  const { url, content_type } = await downloadOf(video_id)
  assert.equal(content_type, 'application/octet-stream')
  const reply = await fetch(url)
  assert.equal(await reply.text(), 'My "notes"')
  const disposition = reply.headers.get('content-disposition') ?? ''
  assert.match(disposition, /filename\*=UTF-8''[\w%.-]+$/)
  assert.ok(!disposition.includes('/'))

  const [row] = await api.database.db`select media_source_id from videos where _id = ${video_id}`
  const { site_id } = await api.as('admin').videos.get(video_id)
  await prepare.run({ site_id, source_id: String(row?.media_source_id) }, contextOf(api))
  assert.equal((await api.as('admin').videos.get(video_id)).status, 'failed')
  assert.equal((await fetch((await downloadOf(video_id)).url)).status, 200)
})

test('file names are encoded safely for every browser', () => {
  assert.equal(asAttachment('a "b".mp4'), `attachment; filename="a _b_.mp4"; filename*=UTF-8''a%20_b_.mp4`)
  assert.equal(asAttachment('..\\..\\x\r\ny'), `attachment; filename="__.._x__y"; filename*=UTF-8''__.._x__y`)
  assert.equal(asAttachment('é.mov'), `attachment; filename="_.mov"; filename*=UTF-8''%C3%A9.mov`)
  assert.equal(asAttachment(''), `attachment; filename="film"; filename*=UTF-8''film`)
})

test('a video without a file, or of another channel, has no download', async () => {
  const empty = await api.as('admin').videos.create({ title: 'Empty' })
  await assert.rejects(downloadOf(empty._id), { status: 404, message: /no file to download/ })
  await assert.rejects(api.other.as('admin').downloads.get(playing._id), { status: 404 })
  const address = `${api.url}/videos/${playing._id}/download`
  for (const [key, status] of [
    [api.channel.keys.read_only, 403],
    [api.channel.keys.player, 403],
    ['wrong', 401],
  ] as const)
    assert.equal((await ask(`${address}?api_key=${key}`)).status, status)
})

test('an expired or altered URL, or one made for something else, is refused', async () => {
  const { sealer } = api.parts
  const site_id = api.channel.channel._id
  const claims = { site_id, video_id: playing._id, source_id: playing.source_id }
  const expired = signDownload(sealer, { ...claims, expires: Date.now() - 1 })
  const token = signDownload(sealer, { ...claims, expires: Date.now() + 1000 })
  const embed = await (
    await fetch(`${api.url}/embed/${playing._id}?api_key=${api.channel.keys.player}`)
  ).text()
  const forPlaylists = /\/media\/([^/]+)\/master/.exec(embed)?.[1] ?? ''
  assert.ok(forPlaylists)
  assert.ok(openDownload(sealer, token))
  const other = token.replace(playing._id, 'f'.repeat(24))
  for (const each of [expired, other, `${token}x`, `${token}.x`, forPlaylists, 'x', '....'])
    assert.equal((await fetch(`${api.url}/downloads/${each}`)).status, 403, each)
  for (const path of ['master.m3u8', 'hls_240p/index.m3u8', 'hls_240p/0.m4s'])
    assert.equal((await fetch(`${api.url}/media/${token}/${path}`)).status, 403)
  assert.equal((await fetch(`${api.url}/playback/${token}/status`)).status, 403)
})

test('the URL stops with its video, but keeps working for a replaced file', async () => {
  const { _id } = await uploadClip(api, await makeClip({ seconds: 2 }), 'Leaving')
  const { url } = await downloadOf(_id)
  assert.equal((await fetch(url)).status, 200)
  const replaced = await upload(api, [
    ['video_id', _id],
    ['source', film('another'), 'b.mp4'],
  ])
  assert.equal(replaced.status, 201)
  assert.equal((await fetch(url)).status, 200)
  assert.equal(await (await fetch((await downloadOf(_id)).url)).text(), 'another')

  await api.as('admin').videos.remove(_id)
  assert.equal((await fetch(url)).status, 404)
  await assert.rejects(downloadOf(_id), { status: 404 })
})

test('the files of a video are listed, the newest first, for callers who see the video', async () => {
  const { _id } = await uploadClip(api, await makeClip({ seconds: 2 }), 'Listed')
  const { response } = await api.as('admin').sources.list(_id)
  assert.deepEqual(
    response.map(({ status, current, bytes, sha256 }) => [status, current, bytes, sha256]),
    [['processing', false, clip.length, digest(clip)]],
  )
  const [source] = (await api.as('app').sources.list(playing._id)).response
  assert.ok(source)
  assert.deepEqual(
    [source.current, source.width, source.height, source.video_codec, source.audio_codec, source.container],
    [true, 320, 180, 'h264', 'aac', 'mov'],
  )
  await upload(api, [
    ['video_id', _id],
    ['source', film('another'), 'b.mp4'],
  ])
  const { response: both, pagination } = await api.as('read_only', 'xml').sources.list(_id)
  assert.deepEqual(
    both.map(({ file_name, replaced_at }) => [file_name, replaced_at !== null]),
    [
      ['b.mp4', false],
      ['clip.mp4', true],
    ],
  )
  assert.equal(pagination.pages, 1)

  await api.as('admin').videos.update(_id, { active: false })
  await assert.rejects(api.as('app').sources.list(_id), { status: 404 })
  assert.equal((await api.as('admin').sources.list(_id)).response.length, 2)
})

test('sources name other videos of the channel with the same file, for publishers only', async () => {
  const sent = async (title: string, key: string, text: string) => {
    const { body } = await upload(
      api,
      [
        ['video[title]', title],
        ['source', film(text), 'a.mp4'],
      ],
      `/uploads?api_key=${key}`,
    )
    return String(body.response._id)
  }
  const { keys } = api.channel
  const [first, second, another] = [
    await sent('First', keys.admin, 'the same bytes'),
    await sent('Second', keys.admin, 'the same bytes'),
    await sent('Another', keys.admin, 'other bytes'),
  ]
  await sent('Next door', api.other.keys.admin, 'the same bytes')
  const duplicatesOf = async (id: string, who: 'admin' | 'read_only' = 'admin') =>
    (await api.as(who).sources.list(id)).response.map(({ duplicates }) => duplicates)
  assert.deepEqual(await duplicatesOf(second), [[{ _id: first, title: 'First' }]])
  assert.deepEqual(await duplicatesOf(first), [[{ _id: second, title: 'Second' }]])
  assert.deepEqual(await duplicatesOf(another), [[]])
  assert.deepEqual(await duplicatesOf(second, 'read_only'), [[]])
  const { response } = await api.as('admin').sources.list(second, { response_fields: ['bytes'] })
  assert.deepEqual(Object.keys(response[0] ?? {}).sort(), ['_id', 'bytes'])
  await api.as('admin').videos.remove(first)
  assert.deepEqual(await duplicatesOf(second), [[]])
})
