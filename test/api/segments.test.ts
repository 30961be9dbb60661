import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const newVideo = async (fields = {}) =>
  (await api.as('admin').videos.create({ title: 'Chapters', ...fields }))._id

for (const format of formats) {
  test(`a segment can be made, read, listed, changed and removed, and its video shows it (${format})`, async () => {
    const { segments, videos } = api.as('admin', format)
    const video_id = await newVideo()
    const second = await segments.create(video_id, { description: 'Trot', start: 5000, end: 9000 })
    const first = await segments.create(video_id, { description: 'Walk', start: 0 })
    const whole: object = first
    assert.deepEqual(whole, {
      _id: first._id,
      site_id: api.channel.channel._id,
      created_at: first.created_at,
      updated_at: first.updated_at,
      video_id,
      description: 'Walk',
      start: 0,
      end: null,
    })
    assert.deepEqual(await segments.get(video_id, first._id), first)
    assert.deepEqual((await segments.list(video_id)).response, [first, second])
    const shown = ({ _id, description, start, end }: typeof first) => ({ _id, description, start, end })
    assert.deepEqual((await videos.get(video_id)).segments, [shown(first), shown(second)])

    const changed = await segments.update(video_id, first._id, { start: 7000, end: 8000 })
    assert.deepEqual(changed, { ...first, start: 7000, end: 8000, updated_at: changed.updated_at })
    assert.deepEqual((await segments.list(video_id)).response, [second, changed])
    const listed = (await videos.list({ id: video_id })).response[0]
    assert.deepEqual(listed?.segments, [shown(second), shown(changed)])

    await segments.remove(video_id, second._id)
    await assert.rejects(segments.get(video_id, second._id), { status: 404, message: 'Segment not found' })
    await assert.rejects(segments.update(video_id, second._id, { start: 1 }), { status: 404 })
    await assert.rejects(segments.remove(video_id, second._id), { status: 404 })
    assert.deepEqual((await videos.list({ id: video_id })).response[0]?.segments, [shown(changed)])
  })

  test(`a segment ends after it begins, within the film if its length is known (${format})`, async () => {
    const { segments } = api.as('admin', format)
    const video_id = await newVideo()
    const late = { status: 422, errors: { end: ['must be after start'] } }
    await assert.rejects(segments.create(video_id, { description: 'x', start: 10, end: 10 }), late)
    const made = await segments.create(video_id, { description: 'x', start: 10, end: 90_000 })
    await assert.rejects(segments.update(video_id, made._id, { start: 90_000 }), late)
    await assert.rejects(segments.update(video_id, made._id, { end: 9 }), late)
    assert.equal((await segments.update(video_id, made._id, { end: null })).end, null)
    await api.database.db`update videos set precise_duration = 60.5 where _id = ${video_id}`
    const why = 'must be within the video, which is 60500 milliseconds long'
    await assert.rejects(segments.create(video_id, { description: 'x', start: 60_500 }), {
      errors: { start: [why] },
    })
    await assert.rejects(segments.update(video_id, made._id, { end: 60_501 }), { errors: { end: [why] } })
    assert.equal((await segments.update(video_id, made._id, { end: 60_500 })).end, 60_500)
    await assert.rejects(segments.create(video_id, { start: -1 } as never), {
      status: 422,
      errors: { description: ['is required'], start: ['must be at least 0'] },
    })
  })

  test(`segments of hidden videos and of other channels are not found (${format})`, async () => {
    const video_id = await newVideo({ active: false })
    const { _id } = await api.as('admin').segments.create(video_id, { description: 'x', start: 0 })
    const missing = { status: 404, message: 'Video not found' }
    for (const kind of ['read_only', 'app'] as const) {
      await assert.rejects(api.as(kind, format).segments.list(video_id), missing)
      await assert.rejects(api.as(kind, format).segments.get(video_id, _id), missing)
    }
    const { segments } = api.other.as('admin', format)
    await assert.rejects(segments.list(video_id), missing)
    await assert.rejects(segments.create(video_id, { description: 'x', start: 0 }), missing)
    const theirs = (await api.other.as('admin').videos.create({ title: 'Theirs' }))._id
    for (const call of [
      () => segments.get(theirs, _id),
      () => segments.update(theirs, _id, { start: 1 }),
      () => segments.remove(theirs, _id),
    ])
      await assert.rejects(call, { status: 404, message: 'Segment not found' })
    const another = await newVideo()
    await assert.rejects(api.as('admin', format).segments.get(another, _id), { status: 404 })
  })
}

test('a segment can be created by a form and by a query string alone', async () => {
  const video_id = await newVideo()
  const url = `${api.url}/videos/${video_id}/segments/?api_key=${api.channel.keys.admin}`
  const form = 'segment[description]=One two&segment[start]=1500&'
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const made = await ask(url, 'json', { method: 'POST', headers: type, body: form })
  assert.deepEqual([made.status, made.body.response.start], [201, 1500], made.text)
  const query = await ask(`${url}&segment[description]=Two&segment[start]=2500`, 'json', { method: 'POST' })
  assert.deepEqual([query.status, query.body.response.description], [201, 'Two'], query.text)
})

test('two segments cannot begin in the same second, however they are written', async () => {
  const video_id = await newVideo()
  const { segments, videos } = api.as('admin')
  const first = await segments.create(video_id, { description: 'Walk', start: 0 })
  const second = await segments.create(video_id, { description: 'Run', start: 5000 })
  const refusal = {
    status: 422,
    message:
      'Could not save segment: start must differ by a second or more: "Walk" and "Jump" both begin at 0:00.',
  }
  const jump = { description: 'Jump', start: 999 }
  await assert.rejects(segments.create(video_id, jump), refusal)
  await assert.rejects(segments.update(video_id, second._id, jump), refusal)
  await assert.rejects(videos.update(video_id, { segments_attributes: [jump] }), refusal)
  // Both may change places in one request.
  const swapped = [
    { id: first._id, start: 5000 },
    { id: second._id, start: 0 },
  ]
  const { segments: after } = await videos.update(video_id, { segments_attributes: swapped })
  assert.deepEqual(
    after.map(({ description }) => description),
    ['Run', 'Walk'],
  )
})

test('twenty segments created at once are all in the record', async () => {
  const video_id = await newVideo()
  const { segments, videos } = api.as('admin')
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      segments.create(video_id, { description: `No. ${index}`, start: index * 1000 }),
    ),
  )
  const starts = (await videos.get(video_id)).segments.map(({ start }) => start)
  assert.deepEqual(
    starts,
    Array.from({ length: 20 }, (_, index) => index * 1000),
  )
})
