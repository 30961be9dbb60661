import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { withSource } from './access-targets-videos.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

/** Creates a video with one film of ten seconds. */
async function newFilm(channel = api.channel) {
  const video_id = await withSource({ api, channel, name: '', owner: '' })
  const [source] = (await channel.as('admin').sources.list(video_id)).response
  const source_id = source?._id ?? ''
  await api.database.db`update sources set facts = '{"duration": 10}' where _id = ${source_id}`
  return [video_id, source_id] as const
}

for (const format of formats) {
  test(`an ad timing can be made, read, changed, listed and removed (${format})`, async () => {
    const { ad_timings } = api.as('admin', format)
    const place = await newFilm()
    const made = await ad_timings.create(...place, { time: 4.5, duration: 30, ad_placement_id: 'mid-1' })
    const expected = { time: 4.5, milliseconds: 4500, duration: 30, duration_milliseconds: 30_000 }
    const { _id, site_id, created_at, updated_at, ...rest } = made
    assert.deepEqual(rest, {
      ...expected,
      ...{ type: 'midroll', mode: 'manual', ad_placement_id: 'mid-1' },
      ...{ video_id: place[0], data_source_id: place[1] },
    })
    assert.deepEqual([site_id, created_at], [api.channel.channel._id, updated_at])
    const changed = await ad_timings.update(...place, _id, { milliseconds: 0, duration: null })
    assert.deepEqual(changed, {
      ...made,
      ...{ time: 0, milliseconds: 0, duration: null, duration_milliseconds: null, type: 'preroll' },
      updated_at: changed.updated_at,
    })
    assert.deepEqual(await ad_timings.get(...place, _id), changed)
    await ad_timings.create(...place, { milliseconds: 9000 })
    const { response } = await api.as('app', format).ad_timings.list(...place)
    assert.deepEqual(
      response.map(({ time }) => time),
      [0, 9],
    )
    await ad_timings.remove(...place, _id)
    await assert.rejects(ad_timings.get(...place, _id), {
      status: 404,
      message: 'Ad timing not found',
    })
  })

  test(`all ad timings of a video are grouped by data source (${format})`, async () => {
    const { ad_timings, video_ad_timings } = api.as('admin', format)
    const place = await newFilm()
    for (let index = 12; index > 0; index -= 1)
      await ad_timings.create(...place, { milliseconds: index * 100 })
    assert.equal((await ad_timings.list(...place)).response.length, 12)
    const { response } = await api.as('read_only', format).video_ad_timings.list(place[0])
    assert.equal(response.length, 1)
    assert.equal(response[0]?.data_source_id, place[1])
    assert.deepEqual(
      response[0]?.ad_timings.map(({ time }) => time),
      Array.from({ length: 12 }, (_, index) => (index + 1) / 10),
    )
    const { ad_timings: none, ...group } = response[0] ?? {}
    assert.ok(none)
    const named = async (query: object) =>
      (await video_ad_timings.list(place[0], query)).response.map(({ data_source_id }) => data_source_id)
    assert.deepEqual(await named({ id: place[1] }), [place[1]])
    assert.deepEqual(await named({ id: 'f'.repeat(24) }), [])
    assert.deepEqual(await named({ 'id!': place[1] }), [])
    assert.deepEqual(await named({ 'created_at.gt': group.created_at, page: 0 }), [])
    assert.deepEqual(await named({ page: 1 }), [])
    const { _id } = await api.as('admin').videos.create({ title: 'No film yet' })
    assert.deepEqual((await video_ad_timings.list(_id)).response, [])
  })

  test(`an ad timing must be within the film (${format})`, async () => {
    const { ad_timings } = api.as('admin', format)
    const place = await newFilm()
    await assert.rejects(ad_timings.create(...place, {}), {
      status: 422,
      errors: { time: ['is required, in seconds; or milliseconds instead'] },
    })
    const late = { errors: { time: ['must be within the video, which is 10 seconds long'] } }
    await assert.rejects(ad_timings.create(...place, { time: 10.5 }), late)
    const { _id } = await ad_timings.create(...place, { time: 10 })
    await assert.rejects(ad_timings.update(...place, _id, { time: 11 }), late)
    await assert.rejects(ad_timings.create(...place, { time: -1 }), { status: 422 })
  })

  test(`ad timings of other videos, sources and channels are not found (${format})`, async () => {
    const { ad_timings } = api.as('admin', format)
    const [video, source] = await newFilm()
    const [video2, source2] = await newFilm()
    const { _id } = await ad_timings.create(video, source, { time: 1 })
    const noSource = { status: 404, message: 'Data source not found' }
    await assert.rejects(ad_timings.list(video, source2), noSource)
    await assert.rejects(ad_timings.create(video2, source, { time: 1 }), noSource)
    await assert.rejects(ad_timings.get(video, 'x', _id), noSource)
    await assert.rejects(ad_timings.get(video2, source2, _id), { message: 'Ad timing not found' })
    const theirs = await newFilm(api.other)
    const stranger = api.other.as('admin', format).ad_timings
    await assert.rejects(stranger.list(video, source), { status: 404, message: 'Video not found' })
    await assert.rejects(stranger.list(theirs[0], source), noSource)
    await assert.rejects(stranger.remove(...theirs, _id), { status: 404 })
  })
}

test('an ad timing can be created by a form', async () => {
  const [video, source] = await newFilm()
  const url = `${api.url}/videos/${video}/data_sources/${source}/ad_timings/?api_key=${api.channel.keys.admin}`
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const made = await ask(url, 'json', { method: 'POST', headers: type, body: 'ad_timing[time]=2.5&' })
  assert.deepEqual([made.status, made.body.response.milliseconds], [201, 2500], made.text)
})

test('a data source has at most a hundred ad timings', async () => {
  const place = await newFilm()
  const { ad_timings } = api.as('admin')
  for (let index = 0; index < 100; index += 1) await ad_timings.create(...place, { milliseconds: index })
  await assert.rejects(ad_timings.create(...place, { time: 1 }), { status: 422, message: /at most 100/ })
  assert.equal((await ad_timings.list(...place)).response.length, 100)
})

test('ad timings move to the film that replaces theirs', async () => {
  const { ad_timings } = api.as('admin')
  const [video, source] = await newFilm()
  const { _id } = await ad_timings.create(video, source, { time: 1 })
  const [other] = await api.database.db<{ _id: string }[]>`
    insert into sources (_id, site_id, video_id, bytes, sha256, status)
    select 'f' || right(_id, 23), site_id, video_id, 9, sha256, 'ready' from sources where _id = ${source} returning _id
  `
  await api.database.db`update videos set media_source_id = ${other?._id ?? ''} where _id = ${video}`
  await api.database.db`update sources set replaced_at = now() where _id = ${source}`
  assert.equal((await ad_timings.get(video, other?._id ?? '', _id)).time, 1)
  await assert.rejects(ad_timings.list(video, source), { status: 404 })
})
