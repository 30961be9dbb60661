import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Format, formats, startApi, type TestApi, type TestChannel } from '../support/api.js'
import { newVideo } from './access-targets-videos.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

async function newZobject(channel: TestChannel): Promise<string> {
  const zobject_type = randomUUID()
  await channel.as('admin').zobject_types.create({ title: zobject_type })
  return (await channel.as('admin').zobjects.create({ zobject_type, title: 'Someone', active: true }))._id
}

const unknown = 'f'.repeat(24)

for (const format of formats) {
  test(`segments are made, changed and removed with their video (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = await videos.create({
      title: 'Horse',
      segments: [{ description: 'Trot', start: 1000 }],
      segments_attributes: [{ description: 'Gallop', start: 2000, end: 3000 }],
    })
    assert.deepEqual(
      made.segments.map(({ description, start, end }) => [description, start, end]),
      [
        ['Trot', 1000, null],
        ['Gallop', 2000, 3000],
      ],
    )
    const [trot, gallop] = made.segments
    const changed = await videos.update(made._id, {
      segments_attributes: [
        { id: trot?._id ?? '', _destroy: true },
        { id: gallop?._id ?? '', description: 'The gallop' },
        { description: 'Rest', start: 5000 },
      ],
    })
    assert.deepEqual(
      changed.segments.map(({ description }) => description),
      ['The gallop', 'Rest'],
    )
    assert.deepEqual(changed.segments, (await api.as('app', format).videos.get(made._id)).segments)
    const same = await videos.update(made._id, { segments: changed.segments, title: 'Same' })
    assert.deepEqual(same.segments, changed.segments)
  })

  test(`a rejected request changes nothing (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = await videos.create({ title: 'Horse', segments: [{ description: 'Trot', start: 1000 }] })
    const refused = [
      { segments_attributes: [{ description: 'x', start: 5, end: 4 }] },
      { segments_attributes: [{ start: 5 }] },
      { ad_timings_attributes: [{ time: 5 }] },
      { related_videos_attributes: [{ group: 'more' }] },
      { related_videos_attributes: [{ linked_video_id: made._id }] },
      { preview_ids: [made._id] },
    ]
    for (const fields of refused)
      await assert.rejects(videos.update(made._id, { title: 'Changed', ...fields }), { status: 422 })
    assert.deepEqual(await videos.get(made._id), made)
  })

  test(`zobjects are attached with their video (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const [one, two] = [await newZobject(api.channel), await newZobject(api.channel)]
    const made = await videos.create({ title: 'Horse', zobject_id: [one] })
    assert.deepEqual(made.zobject_ids, [one])
    assert.equal(made.video_zobjects[0]?.title, 'Someone')
    assert.deepEqual((await videos.update(made._id, { zobject_ids: [two, one] })).zobject_ids, [one, two])
    assert.deepEqual(
      (await videos.list({ zobject_id: [two] })).response.map(({ _id }) => _id),
      [made._id],
    )
    assert.deepEqual((await videos.update(made._id, { zobject_ids: [two] })).zobject_ids, [two])
    assert.deepEqual((await videos.update(made._id, { title: 'Other' })).zobject_ids, [two])
    assert.deepEqual((await videos.update(made._id, { zobject_ids: [] })).zobject_ids, [])
  })

  test(`ad timings of a video's data source can be written with the video (${format})`, async () => {
    const { videos, ad_timings } = api.as('admin', format)
    const url = 'https://media.example/a.m3u8'
    const { _id, data_sources } = await videos.createSelfHosted({ url, title: 'Horse', duration: 10 })
    const place = [_id, data_sources[0]?._id ?? ''] as const
    await videos.update(_id, { ad_timings_attributes: [{ time: 4 }, { milliseconds: 8000 }] })
    const [first, second] = (await ad_timings.list(...place)).response
    assert.deepEqual([first?.time, second?.time], [4, 8])
    await videos.update(_id, {
      ad_timings_attributes: [
        { id: first?._id ?? '', time: 5 },
        { id: second?._id ?? '', _destroy: true },
      ],
    })
    assert.deepEqual(
      (await ad_timings.list(...place)).response.map(({ time }) => time),
      [5],
    )
    await assert.rejects(videos.update(_id, { ad_timings_attributes: [{ time: 11 }] }), { status: 422 })
  })

  test(`related videos are shown on request, if the caller may see them (${format})`, async () => {
    const { videos } = api.as('admin')
    const [one, hidden] = [await newVideo(api.channel), await newVideo(api.channel)]
    await videos.update(hidden, { active: false })
    const { _id } = await videos.create({
      title: 'Horse',
      related_videos_attributes: [{ linked_video_id: one, group: 'more' }, { linked_video_id: hidden }],
    })
    const related = await relatedTo(_id, 'include_related_videos', format)
    assert.deepEqual(
      related.map(({ linked_video_id, group }) => [linked_video_id, group]),
      [[one, 'more']],
    )
    assert.equal(related[0]?.video, undefined)
    const [whole] = await relatedTo(_id, 'expand_related_videos', format)
    assert.equal(whole?.video?._id, one)
    assert.ok(!Object.hasOwn(await videos.get(_id), 'related_videos'))
    const id = related[0]?._id ?? ''
    await api.as('admin', format).videos.update(_id, { related_videos_attributes: [{ id, group: 'less' }] })
    assert.equal((await relatedTo(_id, 'include_related_videos', format))[0]?.group, 'less')
    await api.as('admin', format).videos.update(_id, { related_videos_attributes: [{ id, _destroy: true }] })
    assert.deepEqual(await relatedTo(_id, 'include_related_videos', format), [])
  })

  test(`previews are other videos of the channel, and can be filtered by (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const trailer = await newVideo(api.channel)
    const made = await videos.create({ title: 'Horse', preview_ids: [trailer] })
    assert.deepEqual(made.preview_ids, [trailer])
    assert.deepEqual(
      (await videos.list({ preview_id: [trailer] })).response.map(({ _id }) => _id),
      [made._id],
    )
    await videos.remove(trailer)
    // Clients may send back the ids that they read, even if a preview was deleted in the meantime.
    assert.deepEqual((await videos.update(made._id, { preview_ids: [trailer] })).preview_ids, [trailer])
    await assert.rejects(videos.create({ title: 'Other', preview_ids: [trailer] }), { status: 404 })
  })

  test(`unknown ids and ids of other channels return 404 in every place (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const mine = await newVideo(api.channel)
    const foreign = await api.other
      .as('admin')
      .videos.create({ title: 'Theirs', segments: [{ description: 'x', start: 1 }] })
    const zobject = await newZobject(api.other)
    const segment = foreign.segments[0]?._id ?? ''
    const bodies = [foreign._id, unknown].flatMap((video) => [
      { preview_ids: [video] },
      { related_videos_attributes: [{ linked_video_id: video }] },
      { related_videos_attributes: [{ id: video, group: 'x' }] },
      { ad_timings_attributes: [{ id: video, time: 1 }] },
    ])
    for (const body of [
      ...bodies,
      { zobject_ids: [zobject] },
      { zobject_id: [unknown] },
      { segments_attributes: [{ id: segment, description: 'mine' }] },
      { segments_attributes: [{ id: segment, _destroy: true }] },
    ])
      await assert.rejects(videos.update(mine, body), { status: 404 }, JSON.stringify(body))
    assert.deepEqual((await api.other.as('admin').videos.get(foreign._id)).segments, foreign.segments)
    await assert.rejects(videos.create({ title: 'New', preview_ids: [foreign._id] }), { status: 404 })
  })
}

interface Related {
  readonly _id: string
  readonly linked_video_id: string
  readonly group: string | null
  readonly video?: { readonly _id: string }
}

async function relatedTo(id: string, parameter: string, format: Format): Promise<Related[]> {
  const query = `${parameter}=true&response_fields=title&api_key=${api.channel.keys.read_only}`
  const one = await ask(`${api.url}/videos/${id}?${query}`, format, {})
  const { body } = await ask(`${api.url}/videos?id=${id}&${query}`, format, {})
  const [listed] = body.response as unknown as { related_videos: Related[] }[]
  assert.deepEqual(listed?.related_videos, one.body.response.related_videos)
  return listed?.related_videos ?? []
}

test('a form in the format of existing clients writes segments, zobjects and related videos', async () => {
  const [zobject, other] = [await newZobject(api.channel), await newVideo(api.channel)]
  const body = `video[title]=Horse&video[segments][][description]=Trot&video[segments][][start]=10&video[zobject_id][]=${zobject}&video[related_videos_attributes][][linked_video_id]=${other}&`
  const made = await ask(`${api.url}/videos?api_key=${api.channel.keys.admin}`, 'json', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body.response.zobject_ids, [zobject])
  assert.match(made.text, /Trot/)
  const related = await relatedTo(String(made.body.response._id), 'include_related_videos', 'json')
  assert.equal(related[0]?.linked_video_id, other)
})
