import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { expireUploads } from '../../packages/server/src/jobs/expire-uploads.job.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { contextOf } from '../support/media.js'
import { assertNothing, assertStored, callsTo, clear } from './tus-calls.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
beforeEach(() => clear(api))
after(() => api.stop())

const { send, begin, append } = callsTo(() => api)
const idOf = (address: string) => address.split('/').at(-1) ?? ''
const statusOf = async (id: string) => (await api.as('admin').videos.get(id)).status

for (const format of formats)
  test(`uploads in progress are listed with their progress, and can be cancelled (${format})`, async () => {
    const { uploads } = api.as('admin', format)
    const address = await begin(10, { filename: 'A walk.mp4' })
    await append(address, 0, 'hell')
    const [one, ...others] = (await uploads.list()).response
    assert.deepEqual(others, [])
    assert.ok(one)
    const { _id, file_name, length, offset, progress, video_id, status } = one
    assert.deepEqual(
      { _id, file_name, length, offset, progress, video_id, status },
      { _id: idOf(address), file_name: 'A walk.mp4', length: 10, offset: 4, progress: 40, video_id: null, status: 'uploading' },
    ) // biome-ignore format: one record
    assert.ok(Date.parse(one.expires_at) > Date.now())
    assert.deepEqual(await uploads.get(_id), one)
    await uploads.remove(_id)
    assert.equal((await send('HEAD', address)).status, 404)
    await assert.rejects(uploads.get(_id), { status: 404 })
    await assertNothing(api)
  })

for (const format of formats)
  test(`an update of an upload changes only its message (${format})`, async () => {
    const { uploads } = api.as('admin', format)
    const before = await uploads.get(idOf(await begin(10)))
    const reported = { message: 'Halfway', status: 'finished', progress: 50, length: 99 }
    const after = await uploads.update(before._id, reported as never)
    assert.deepEqual(after, { ...before, message: 'Halfway', updated_at: after.updated_at })
    assert.deepEqual(await uploads.get(before._id), after)
    await assert.rejects(api.other.as('admin', format).uploads.update(before._id, { message: 'x' }), {
      status: 404,
      message: 'Upload not found',
    })
  })

test('an upload without a file name is named after its video, or Untitled', async () => {
  const { uploads, videos } = api.as('admin')
  const { _id: video_id } = await videos.create({ title: 'The Horse in Motion' })
  assert.equal((await uploads.create({ length: 5 })).file_name, 'Untitled')
  assert.equal((await uploads.create({ length: 5, file_name: '' })).file_name, 'Untitled')
  assert.equal((await uploads.create({ length: 5, video_id })).file_name, 'The Horse in Motion')
})

test('a finished upload is listed only on request, names its video, and cannot be cancelled', async () => {
  const { uploads } = api.as('admin')
  const address = await begin(5)
  const video_id = (await append(address, 0, 'hello')).headers.get('x-video-id') ?? ''
  assert.deepEqual((await uploads.list()).response, [])
  assert.deepEqual((await uploads.list({ status: '' as never })).response, [])
  const [finished] = (await uploads.list({ status: 'finished' })).response
  const written = { filters: { status: 'finished', unknown: 'x' } }
  assert.deepEqual((await uploads.list(written)).response, [finished])
  assert.deepEqual([finished?.video_id, finished?.offset, finished?.progress], [video_id, 5, 100])
  await assert.rejects(uploads.remove(idOf(address)), { status: 403 })
  await assertStored(api, video_id, Buffer.from('hello'))
})

test('uploads come in pages, and another channel sees none of them', async () => {
  for (let count = 0; count < 3; count += 1) await begin(10)
  const { uploads } = api.as('admin')
  const page = await uploads.list({ per_page: 2 })
  assert.deepEqual([page.response.length, page.pagination.pages], [2, 2])
  const seen = new Set<string>()
  for await (const { _id } of uploads.all({ per_page: 2 })) seen.add(_id)
  assert.equal(seen.size, 3)
  const theirs = api.other.as('admin').uploads
  assert.deepEqual((await theirs.list()).response, [])
  for (const id of seen) {
    await assert.rejects(theirs.get(id), { status: 404 })
    await assert.rejects(theirs.remove(id), { status: 404 })
  }
  assert.equal((await uploads.list()).response.length, 3)
})

test('an upload created without tus continues with tus, and its video is named after the file', async () => {
  const { uploads, videos } = api.as('admin')
  const { _id } = await uploads.create({ length: 5, file_name: 'Straße & more.mp4' })
  const reply = await append(`/uploads/tus/${_id}`, 0, 'hello')
  assert.equal(reply.status, 204)
  assert.equal((await videos.get(reply.headers.get('x-video-id') ?? '')).title, 'Straße & more')

  await assert.rejects(uploads.create({} as never), { status: 422, errors: { length: ['is required'] } })
  await assert.rejects(uploads.create({ length: 0 }), { status: 422 })
  await assert.rejects(uploads.create({ length: api.media.maxUploadBytes + 1 }), { status: 413 })
  const theirs = await api.other.as('admin').videos.create({ title: 'Theirs' })
  await assert.rejects(uploads.create({ length: 5, video_id: theirs._id }), { status: 404 })
})

test('a video without a film is uploading during an upload, and created again if it is abandoned', async () => {
  const { videos, uploads } = api.as('admin')
  const { _id } = await videos.create({ title: 'Waiting' })
  const first = await begin(10, { video_id: _id })
  const second = await begin(10, { video_id: _id })
  assert.equal(await statusOf(_id), 'uploading')
  assert.equal((await send('DELETE', first)).status, 204)
  assert.equal(await statusOf(_id), 'uploading')
  await uploads.remove(idOf(second))
  assert.equal(await statusOf(_id), 'created')

  await begin(10, { video_id: _id })
  assert.equal(await statusOf(_id), 'uploading')
  await api.database.db`update uploads set expires_at = now()`
  await expireUploads.run(undefined, contextOf(api))
  assert.equal(await statusOf(_id), 'created')

  const last = await begin(5, { video_id: _id })
  await append(last, 0, 'hello')
  assert.equal(await statusOf(_id), 'processing')
  const replacing = await begin(5, { video_id: _id })
  assert.equal(await statusOf(_id), 'processing')
  await send('DELETE', replacing)
  assert.equal(await statusOf(_id), 'processing')
})
