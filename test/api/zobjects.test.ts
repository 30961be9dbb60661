import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const attributes = [
  { field_name: 'playlistid' },
  { field_name: 'priority', field_type: 'integer' },
  { field_name: 'rating', field_type: 'float' },
  { field_name: 'featured', field_type: 'boolean' },
  { field_name: 'born', field_type: 'date' },
  { field_name: 'tags', field_type: 'array' },
] as const

const newType = async () =>
  api.as('admin').zobject_types.create({
    title: `Type ${randomUUID()}`,
    zobject_attributes_attributes: [...attributes],
  })
const newZobject = async (zobject_type: string, fields = {}) =>
  api.as('admin').zobjects.create({ zobject_type, title: 'One', active: true, ...fields })
const newVideo = async (fields = {}) =>
  (await api.as('admin').videos.create({ title: 'Film', ...fields }))._id
const within = (zobject_type: string) => ({ query: { zobject_type } })

for (const format of formats) {
  test(`the attributes of a type are fields of the record, also in writes (${format})`, async () => {
    const { title: zobject_type, _id: zobject_type_id } = await newType()
    const { zobjects } = api.as('admin', format)
    const fields = {
      zobject_type,
      title: 'A Row',
      keywords: ['x'],
      playlistid: 'abc',
      priority: 3,
      featured: true,
      born: '1850-02-03',
      unknown: 'passed over',
    }
    const made = await zobjects.create(fields)
    const custom = {
      playlistid: 'abc',
      priority: 3,
      rating: null,
      featured: true,
      born: '1850-02-03',
      tags: null,
    }
    const whole: object = made
    assert.deepEqual(whole, {
      ...custom,
      _id: made._id,
      site_id: api.channel.channel._id,
      created_at: made.created_at,
      updated_at: made.updated_at,
      zobject_type,
      zobject_type_id,
      zobject_type_title: zobject_type,
      title: 'A Row',
      friendly_title: 'a-row',
      description: null,
      active: false,
      keywords: ['x'],
      video_ids: [],
      playlist_ids: [],
      pictures: [],
      custom,
    })
    assert.deepEqual(await zobjects.get(made._id, within(zobject_type)), made)
    const changed = await zobjects.update(made._id, {
      zobject_type,
      active: true,
      custom: { rating: 4.5, priority: null },
    })
    const next = { ...custom, rating: 4.5, priority: null }
    const after: object = changed
    assert.deepEqual(after, {
      ...made,
      ...next,
      custom: next,
      active: true,
      updated_at: changed.updated_at,
    })
    await assert.rejects(
      zobjects.update(made._id, { zobject_type, priority: 'many', born: 'soon' } as never),
      {
        status: 422,
        errors: {
          priority: ['must be a whole number'],
          born: ['must be a date: ISO 8601 or seconds since 1970'],
        },
      },
    )
    await zobjects.remove(made._id, within(zobject_type))
    await assert.rejects(zobjects.get(made._id, within(zobject_type)), {
      status: 404,
      message: 'Zobject not found',
    })
  })

  test(`lists are limited to a type and can be filtered by its attributes (${format})`, async () => {
    const { title: zobject_type, _id: type_id } = await newType()
    const { title: another } = await newType()
    const first = await newZobject(zobject_type, { title: 'First', priority: 1, playlistid: 'p' })
    const second = await newZobject(zobject_type, { title: 'Second', priority: 2, featured: true })
    const hidden = await newZobject(zobject_type, { title: 'Hidden', active: false })
    await newZobject(another)
    const { zobjects } = api.as('app', format)
    const titles = async (query: object) =>
      (await zobjects.list({ zobject_type, ...query } as never)).response.map(({ title }) => title)
    assert.deepEqual(await titles({}), ['Second', 'First'])
    assert.deepEqual(await titles({ zobject_type: zobject_type.toUpperCase() }), ['Second', 'First'])
    assert.deepEqual(await titles({ priority: 1 }), ['First'])
    assert.deepEqual(await titles({ playlistid: 'p' }), ['First'])
    assert.deepEqual(await titles({ featured: true, q: 'sec' }), ['Second'])
    assert.deepEqual(await titles({ friendly_title: second.friendly_title, priority: '' }), ['Second'])
    assert.deepEqual(await titles({ sort: 'title' }), ['First', 'Second'])
    await api.as('admin').zobject_types.update(type_id, {
      zobject_attributes_attributes: [{ field_name: 'order', field_type: 'integer' }],
    })
    await api.as('admin').zobjects.update(first._id, { zobject_type, order: 7 } as never)
    assert.deepEqual(await titles({ sort: 'title', order: 'desc' }), ['Second', 'First'])
    assert.deepEqual(await titles({ custom: { order: 7 } }), ['First'])
    const [named] = (
      await zobjects.list({ zobject_type, response_fields: 'priority,title', priority: 1 } as never)
    ).response
    assert.deepEqual(named, { _id: first._id, title: 'First', priority: 1 } as never)
    await assert.rejects(zobjects.get(hidden._id, within(zobject_type)), { status: 404 })
    assert.equal(
      (await api.as('admin').zobjects.list({ zobject_type, active: 'all' } as never)).response.length,
      3,
    )
    const noType = { status: 404, message: 'Zobject type not found' }
    await assert.rejects(zobjects.list(), noType)
    await assert.rejects(zobjects.list({ zobject_type: 'no such' }), noType)
    assert.equal((await zobjects.get(first._id)).title, 'First')
    await assert.rejects(zobjects.get(first._id, within(another)), {
      status: 404,
      message: 'Zobject not found',
    })
  })

  test(`zobjects are attached to videos from either side, and the records agree (${format})`, async () => {
    const { title: zobject_type } = await newType()
    const { zobjects, videos } = api.as('admin', format)
    const { _id } = await newZobject(zobject_type, { title: 'Actor', description: 'Plays' })
    const draft = (await newZobject(zobject_type, { title: 'Draft', active: false }))._id
    const [one, two] = [await newVideo(), await newVideo({ active: false })]
    const attached = await zobjects.addVideos(_id, { zobject_type, video_id: [two, one, one] })
    assert.deepEqual([...attached.video_ids].sort(), [one, two].sort())
    const video = await videos.addZobjects(one, { zobject_id: [draft, _id] })
    assert.deepEqual(video.zobject_ids, [_id, draft])
    const shown = { _id, title: 'Actor', description: 'Plays', zobject_type_title: zobject_type }
    assert.deepEqual(video.video_zobjects, [shown])
    await zobjects.update(_id, { zobject_type, title: 'Actress' })
    assert.deepEqual((await videos.get(one)).video_zobjects, [{ ...shown, title: 'Actress' }])
    const ids = async (call: Promise<{ response: { _id: string }[] }>) =>
      (await call).response.map((record) => record._id)
    assert.deepEqual(await ids(videos.list({ zobject_id: [draft] })), [one])
    assert.deepEqual(await ids(zobjects.videos(_id, { zobject_type, active: 'all' } as never)), [two, one])
    assert.deepEqual(await ids(api.as('app', format).zobjects.videos(_id, { zobject_type })), [one])
    assert.deepEqual(await ids(zobjects.list({ zobject_type, video_id: one })), [_id])
    await assert.rejects(api.as('app', format).zobjects.videos(draft, { zobject_type }), { status: 404 })

    const left = await zobjects.removeVideos(_id, { zobject_type, video_id: [one] })
    assert.deepEqual(left.video_ids, [two])
    assert.deepEqual((await videos.removeZobjects(one, { zobject_id: [draft, _id] })).zobject_ids, [])
    assert.deepEqual((await videos.get(one)).video_zobjects, [])
    await zobjects.remove(_id, within(zobject_type))
    assert.deepEqual((await videos.get(two)).zobject_ids, [])
  })

  test(`zobjects are attached to playlists, and show them (${format})`, async () => {
    const { title: zobject_type } = await newType()
    const { zobjects, playlists } = api.as('admin', format)
    const { _id } = await newZobject(zobject_type)
    const draft = (await newZobject(zobject_type, { active: false }))._id
    const { _id: one } = await playlists.create({ title: 'One' })
    const { _id: two } = await playlists.create({ title: 'Two', active: false })
    const attached = await zobjects.addPlaylists(_id, { zobject_type, playlist_id: [two, one, one] })
    assert.deepEqual(attached.playlist_ids, [two, one])
    assert.deepEqual((await zobjects.addPlaylists(_id, { zobject_type, playlist_id: [one] })).playlist_ids, [
      two,
      one,
    ])
    const ids = async (call: Promise<{ response: { _id: string }[] }>) =>
      (await call).response.map((record) => record._id)
    assert.deepEqual(await ids(zobjects.playlists(_id, { zobject_type, active: 'all' } as never)), [two, one])
    assert.deepEqual(await ids(zobjects.playlists(_id, { zobject_type, title: 'Two' } as never)), [])
    assert.deepEqual(await ids(api.as('app', format).zobjects.playlists(_id, { zobject_type })), [one])
    assert.deepEqual(await ids(zobjects.list({ zobject_type, playlist_id: one })), [_id])
    assert.deepEqual(await ids(playlists.list({ zobject_id: _id, title: 'One' })), [one])
    assert.deepEqual(await ids(playlists.list({ zobject_id: draft })), [])
    await assert.rejects(api.as('app', format).zobjects.playlists(draft, { zobject_type }), { status: 404 })
    await playlists.remove(two)
    const left = await zobjects.get(_id, within(zobject_type))
    assert.deepEqual(left.playlist_ids, [one])
    const gone = { zobject_type, playlist_id: [one, two] }
    await assert.rejects(zobjects.addPlaylists(_id, gone), { status: 404, message: 'Playlist not found' })
    const none = await zobjects.removePlaylists(_id, { zobject_type, playlist_id: [one] })
    assert.deepEqual(none.playlist_ids, [])
    const closed = await api
      .as('admin')
      .zobject_types.create({ title: randomUUID(), playlists_enabled: false })
    const { _id: other } = await newZobject(closed.title)
    const refused = zobjects.addPlaylists(other, { zobject_type: closed.title, playlist_id: [one] })
    await assert.rejects(refused, {
      status: 422,
      message: /not for playlists: its playlists_enabled is false/,
    })
  })

  test(`types, zobjects and videos of another channel are not found (${format})`, async () => {
    const { title: zobject_type, _id: typeId } = await newType()
    const { _id } = await newZobject(zobject_type)
    const video_id = await newVideo()
    const them = api.other.as('admin', format)
    const theirType = (await them.zobject_types.create({ title: zobject_type })).title
    const theirs = (await them.zobjects.create({ zobject_type: theirType, title: 'Theirs' }))._id
    const playlist_id = (await api.as('admin').playlists.create({ title: 'Ours' }))._id
    const theirVideo = (await them.videos.create({ title: 'Theirs' }))._id
    const calls: (() => Promise<unknown>)[] = [
      () => them.zobject_types.get(typeId),
      () => them.zobject_types.update(typeId, { title: 'x' }),
      () => them.zobject_types.remove(typeId),
      () => them.zobjects.get(_id, within(zobject_type)),
      () => them.zobjects.update(_id, { zobject_type, title: 'x' }),
      () => them.zobjects.remove(_id, within(zobject_type)),
      () => them.zobjects.addVideos(_id, { zobject_type, video_id: [theirVideo] }),
      () => them.zobjects.addVideos(theirs, { zobject_type, video_id: [video_id] }),
      () => them.zobjects.removeVideos(theirs, { zobject_type, video_id: [video_id] }),
      () => them.zobjects.addPlaylists(theirs, { zobject_type, playlist_id: [playlist_id] }),
      () => them.zobjects.removePlaylists(theirs, { zobject_type, playlist_id: [playlist_id] }),
      () => them.zobjects.removePlaylists(_id, { zobject_type, playlist_id: [playlist_id] }),
      () => them.zobjects.playlists(_id, { zobject_type }),
      () => them.zobjects.videos(_id, { zobject_type }),
      () => them.videos.addZobjects(theirVideo, { zobject_id: [_id] }),
      () => them.videos.addZobjects(video_id, { zobject_id: [theirs] }),
      () => them.videos.removeZobjects(theirVideo, { zobject_id: [_id] }),
    ]
    for (const call of calls) await assert.rejects(call, { status: 404 }, String(call))
    assert.deepEqual((await them.zobjects.list({ zobject_type, video_id })).response, [])
  })
}

test('forms in the format of existing clients are accepted', async () => {
  const { title: zobject_type } = await newType()
  const url = `${api.url}/zobjects`
  const key = `api_key=${api.channel.keys.admin}`
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const type = `zobject_type=${encodeURIComponent(zobject_type)}`
  const ways: [string, RequestInit][] = [
    [
      `${url}?${key}`,
      { headers: json, body: JSON.stringify({ zobject_type, zobject: { title: 'T', priority: '7' } }) },
    ],
    [
      `${url}?${key}&${type}`,
      { headers: json, body: JSON.stringify({ zobject: { title: 'T', custom: { priority: 7 } } }) },
    ],
    [`${url}/?${key}`, { headers: form, body: `${type}&zobject[title]=T&zobject[priority]=7&` }],
    [`${url}?${key}&${type}&zobject[title]=T&zobject[custom][priority]=7`, {}],
    [`${url}?${key}`, { headers: form, body: `${type}&title=T&priority=7` }],
  ]
  for (const [address, init] of ways) {
    const { status, body, text } = await ask(address, 'json', { method: 'POST', ...init })
    assert.deepEqual([status, body.response?.priority], [201, 7], text)
  }
  const without = await ask(`${url}?${key}`, 'json', {
    method: 'POST',
    body: new URLSearchParams({ title: 'T' }),
  })
  assert.equal(without.status, 404)
  const { _id } = await newZobject(zobject_type)
  const removed = await ask(`${url}/${_id}?${key}&${type}&_method=delete`, 'json', { method: 'POST' })
  assert.equal(removed.status, 204)
})

test('zobjects attached concurrently are all in the record, and purging a video removes its attachments', async () => {
  const { title: zobject_type } = await newType()
  const video_id = await newVideo()
  const made = await Promise.all(Array.from({ length: 8 }, () => newZobject(zobject_type)))
  const { zobjects, videos } = api.as('admin')
  await Promise.all(made.map(({ _id }) => zobjects.addVideos(_id, { zobject_type, video_id: [video_id] })))
  assert.equal((await videos.get(video_id)).zobject_ids.length, 8)
  await Promise.all(made.slice(0, 4).map(({ _id }) => zobjects.remove(_id, within(zobject_type))))
  const left = made.slice(4).map(({ _id }) => _id)
  assert.deepEqual([...(await videos.get(video_id)).zobject_ids].sort(), left.sort())
  await api.database.db`delete from videos where _id = ${video_id}`
  assert.deepEqual((await zobjects.get(left[0] ?? '', within(zobject_type))).video_ids, [])
})
