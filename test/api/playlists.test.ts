import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { relateVideos } from '../../packages/server/src/jobs/relate-videos.job.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
after(() => api.stop())

const newVideo = async (title = 'Listed', fields = {}) =>
  (await api.as('admin').videos.create({ title, ...fields }))._id
const newPlaylist = (title = 'Playlist', fields = {}) =>
  api.as('admin').playlists.create({ title, ...fields })
const idsOf = (records: readonly { _id: string }[]) => records.map(({ _id }) => _id)

for (const format of formats) {
  test(`a playlist can be made, read, listed, changed and removed (${format})`, async () => {
    const { playlists } = api.as('admin', format)
    const made = await playlists.create({ title: `Winter Films ${format}`, keywords: ['snow'] })
    assert.deepEqual(made, {
      _id: made._id,
      site_id: api.channel.channel._id,
      created_at: made.created_at,
      updated_at: made.updated_at,
      title: `Winter Films ${format}`,
      friendly_title: `winter-films-${format}`,
      internal_title: null,
      description: null,
      active: true,
      keywords: ['snow'],
      parent_id: null,
      priority: made.priority,
      playlist_type: 'manual',
      match_type: 'any',
      categories: [],
      sort_options: [],
      thumbnail_layout: 'landscape',
      custom_thumbnail_url: null,
      discovery_url: null,
      purchase_required: false,
      purchase_price: null,
      rental_required: false,
      rental_price: null,
      rental_duration: null,
      auto_update_video_entitlements: false,
      auto_remove_video_entitlements: false,
      marketplace_ids: {},
      content_rule_profile_id: null,
      playlist_item_count: 0,
      related_video_ids: [],
      images: [],
      thumbnails: [],
      deleted_at: null,
    })
    const changed = await playlists.update(made._id, { description: 'Cold.', purchase_price: 4.9 })
    assert.deepEqual(changed, {
      ...made,
      description: 'Cold.',
      purchase_price: '4.9',
      updated_at: changed.updated_at,
    })
    assert.deepEqual((await playlists.list({ title: made.title })).response, [changed])
    assert.deepEqual((await playlists.list({ q: `snow ${format}` })).response, [changed])
    assert.notEqual((await newPlaylist(made.title)).friendly_title, made.friendly_title)
    await playlists.remove(made._id)
    await assert.rejects(playlists.get(made._id), { status: 404, message: 'Playlist not found' })
  })

  test(`viewers see active playlists only, and none of another channel (${format})`, async () => {
    const hidden = await newPlaylist('Hidden', { active: false })
    const foreign = await api.other.as('admin').playlists.create({ title: 'Foreign' })
    for (const who of ['read_only', 'app'] as const)
      for (const { _id } of [hidden, foreign]) {
        const { playlists } = api.as(who, format)
        const missing = { status: 404, message: 'Playlist not found' }
        await assert.rejects(playlists.get(_id), missing)
        await assert.rejects(playlists.videos(_id), missing)
        await assert.rejects(playlists.videosRelative(_id, { anchor_video_id: _id }), missing)
        assert.deepEqual((await playlists.list({ id: _id })).response, [])
      }
    const { playlists } = api.as('admin', format)
    assert.deepEqual((await playlists.videos(hidden._id)).response, [])
    await assert.rejects(playlists.addVideos(foreign._id, { video_id: [] }), { status: 404 })
    const missing = { status: 404, message: 'Playlist not found' }
    await assert.rejects(playlists.create({ title: 'Child', parent_id: foreign._id }), missing)
    await assert.rejects(playlists.update(hidden._id, { parent_id: foreign._id }), missing)
  })

  test(`videos are added and removed by hand, in order (${format})`, async () => {
    const { playlists, videos } = api.as('admin', format)
    const [a, b, c, d] = [await newVideo('A'), await newVideo('B'), await newVideo('C'), await newVideo('D')]
    const { _id } = await newPlaylist('By hand')
    const first = await playlists.addVideos(_id, { video_id: [c, a, c] })
    assert.deepEqual([idsOf(first.response), first.pagination.per_page], [[c, a], 25])
    const second = await playlists.addVideos(_id, { video_id: [b, c, d] })
    assert.deepEqual(idsOf(second.response), [c, a, b, d])
    assert.deepEqual(
      second.response.map(({ related_playlist_ids }) => related_playlist_ids),
      Array(4).fill([_id]),
    )
    const reader = api.as('app', format).playlists
    assert.deepEqual((await reader.videos(_id, { per_page: 25 })).response, second.response)
    const { playlist_item_count, related_video_ids } = await reader.get(_id)
    assert.deepEqual([playlist_item_count, related_video_ids], [4, [c, a, b, d]])
    assert.deepEqual(idsOf((await reader.list({ video_id: b })).response), [_id])
    await assert.rejects(reader.list({ video_id: _id }), { status: 404, message: 'Video not found' })

    const fewer = await playlists.removeVideos(_id, { video_id: [a, d] })
    assert.deepEqual(idsOf(fewer.response), [c, b])
    assert.deepEqual((await videos.get(a)).related_playlist_ids, [])
    assert.deepEqual(idsOf((await playlists.addVideos(_id, { video_id: [a] })).response), [c, b, a])
    // The listed videos exchange their positions. Videos that are not in the playlist are ignored.
    const exchanged = await playlists.orderVideos(_id, { video_id: [a, d, c] })
    assert.deepEqual(idsOf(exchanged.response), [a, b, c])
    assert.deepEqual((await reader.get(_id)).related_video_ids, [a, b, c])
    assert.equal((await reader.get(_id)).playlist_item_count, 3)

    const foreign = (await api.other.as('admin').videos.create({ title: 'Foreign' }))._id
    for (const video_id of [foreign, _id])
      for (const change of [playlists.addVideos, playlists.removeVideos, playlists.orderVideos])
        await assert.rejects(change(_id, { video_id: [d, video_id] }), {
          status: 404,
          message: 'Video not found',
        })
    await assert.rejects(playlists.addVideos(_id, { video_id: ['x'] }), { status: 422 })
    assert.equal((await playlists.get(_id)).playlist_item_count, 3)
    await assert.rejects(reader.addVideos(_id, { video_id: [d] }), { status: 403 })
  })
}

test('videos are accepted in the formats of old clients: query strings, forms and bare XML', async () => {
  const { _id } = await newPlaylist('Old clients')
  const [a, b, c, d] = [await newVideo(), await newVideo(), await newVideo(), await newVideo()]
  const json = { 'content-type': 'application/json' }
  const address = `${api.url}/playlists/${_id}/add_videos/?api_key=${api.channel.keys.admin}`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const replies = [
    await ask(`${address}&video_id[]=${a}&_method=put`, 'json', { method: 'POST' }),
    await ask(address, 'json', { method: 'PUT', headers: form, body: `video_id[]=${b}&` }),
    await ask(address, 'xml', { method: 'PUT', body: `<request><video_id>${c}</video_id></request>` }),
    await ask(`${address}&video_id=${b}, ${d}`, 'json', { method: 'PUT' }),
    await ask(address, 'json', { method: 'PUT', headers: json, body: JSON.stringify({ video_id: d }) }),
  ]
  assert.deepEqual(
    replies.map(({ status, body }) => [status, body.response.length]),
    [
      [200, 1],
      [200, 2],
      [200, 3],
      [200, 4],
      [200, 4],
    ],
  )
  assert.match(replies[2]?.text ?? '', /<response type="array"><video><_id>/)
})

test('the videos of a playlist are paged, filtered and sorted like all videos', async () => {
  const { playlists } = api.as('admin')
  const ids: string[] = []
  for (const title of ['Delta', 'Alpha', 'Echo', 'Bravo', 'Charlie'])
    ids.push(await newVideo(title, { featured: title !== 'Echo', keywords: [title.toLowerCase()] }))
  const hidden = await newVideo('Hidden', { active: false })
  const { _id } = await newPlaylist('Letters')
  await playlists.addVideos(_id, { video_id: [...ids, hidden] })
  const titles = async (query = {}) => (await playlists.videos(_id, query)).response.map(({ title }) => title)

  assert.deepEqual(await titles(), ['Delta', 'Alpha', 'Echo', 'Bravo', 'Charlie'])
  assert.deepEqual(await titles({ order: 'desc' }), ['Charlie', 'Bravo', 'Echo', 'Alpha', 'Delta'])
  assert.deepEqual(await titles({ sort: 'title' }), ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo'])
  assert.deepEqual(await titles({ featured: true }), ['Delta', 'Alpha', 'Bravo', 'Charlie'])
  assert.deepEqual(await titles({ q: 'bravo' }), ['Bravo'])
  assert.deepEqual(await titles({ active: false }), ['Hidden'])
  assert.equal((await titles({ active: 'all' })).length, 6)
  assert.deepEqual(
    await titles({ 'playlist_id.inclusive': _id, sort: 'title', order: 'desc', per_page: 1 }),
    ['Echo'],
  )
  await assert.rejects(api.as('app').playlists.videos(_id, { active: 'all' }), { status: 403 })

  for (const query of [
    {},
    { featured: true },
    { active: 'all' as const },
    { sort: 'title' as const },
    { order: 'desc' as const },
  ]) {
    const all = await titles({ ...query, per_page: 100 })
    const paged: string[] = []
    for (let page = 0; page * 2 < all.length; page += 1) {
      const { response, pagination } = await playlists.videos(_id, { ...query, per_page: 2, page })
      paged.push(...response.map(({ title }) => title))
      const pages = Math.ceil(all.length / 2)
      assert.deepEqual(
        [pagination.current, pagination.pages, pagination.next],
        [page, pages, page + 1 < pages ? page + 1 : null],
      )
    }
    assert.deepEqual(paged, all)
    const walked: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { response, pagination }: Awaited<ReturnType<typeof playlists.videos>> = await playlists.videos(
        _id,
        { ...query, per_page: 2, cursor },
      )
      walked.push(...response.map(({ title }) => title))
      cursor = pagination.next_cursor
    }
    assert.deepEqual(walked, all)
  }
  assert.deepEqual((await playlists.videos(_id, { page: 9 })).response, [])
  const [short] = (await playlists.videos(_id, { response_fields: ['title'] })).response
  assert.deepEqual(Object.keys(short ?? {}), ['_id', 'title'])
})

test('a playlist counts exactly the videos that viewers see', async () => {
  const { playlists, videos } = api.as('admin')
  const [a, b] = [await newVideo('Counted A'), await newVideo('Counted B')]
  const { _id } = await newPlaylist('Counting')
  await playlists.addVideos(_id, { video_id: [a, b] })
  const seen = async () => {
    const { playlist_item_count, related_video_ids } = await playlists.get(_id)
    const { response, pagination } = await playlists.videos(_id, { per_page: 1 })
    assert.deepEqual(
      [pagination.pages, idsOf(response)],
      [playlist_item_count, related_video_ids.slice(0, 1)],
    )
    return related_video_ids
  }
  await videos.update(a, { active: false })
  assert.deepEqual(await seen(), [b])
  await videos.remove(b)
  assert.deepEqual(await seen(), [])
  await videos.update(a, { active: true })
  await videos.restore(b)
  assert.deepEqual(await seen(), [a, b])
  await videos.update(a, { disable_at: new Date(Date.now() - 1000) })
  assert.deepEqual(await seen(), [b])
  await api.database.db`delete from videos where _id = ${b}`
  assert.deepEqual(await seen(), [])
})

test('the neighbours of a video', async () => {
  const { playlists } = api.as('admin')
  const ids: string[] = []
  for (const title of ['E', 'D', 'C', 'B', 'A']) ids.push(await newVideo(title))
  ids.push(await newVideo('Hidden', { active: false }))
  const { _id } = await newPlaylist('Neighbours')
  await playlists.addVideos(_id, { video_id: [ids[5] ?? '', ...ids] })
  const [e = '', , c = ''] = ids
  const around = async (anchor_video_id: string, query = {}) => {
    const { response, pagination } = await api
      .as('app')
      .playlists.videosRelative(_id, { anchor_video_id, ...query })
    assert.deepEqual([pagination.pages, pagination.next], [response.length > 0 ? 1 : 0, null])
    return response.map(({ title }) => title).join('')
  }
  assert.equal(await around(e), 'DCB')
  assert.equal(await around(c, { before: 1, after: 1, include_anchor: true }), 'DCB')
  assert.equal(await around(c, { before: 9, after: 0 }), 'ED')
  assert.equal(await around(c, { sort: 'title', before: 1, after: 1 }), 'BD')
  assert.equal(await around(c, { order: 'desc', after: 5 }), 'DE')
  await assert.rejects(around(ids[5] ?? ''), { status: 404, message: 'Video not found' })
  await assert.rejects(around(await newVideo('Elsewhere')), { status: 404 })
  await assert.rejects(around(c, { after: 101 }), { status: 422 })
  await assert.rejects(around(''), { status: 422 })
})

test('many videos of a moved playlist are updated in the background', async () => {
  const { db } = api.database
  const { playlists } = api.as('admin')
  const [top, inner] = [await newPlaylist('Top'), await newPlaylist('Inner')]
  const site_id = api.channel.channel._id
  await db`
    insert into videos (_id, site_id, title, friendly_title, related_playlist_ids)
    select 'd' || lpad(to_hex(n), 23, '0'), ${site_id}, 'Many', 'many-' || n, ${[inner._id]}::text[] from generate_series(1, 1200) as n
  `
  await db`
    insert into playlist_videos (site_id, playlist_id, video_id, shown)
    select site_id, ${inner._id}, _id, true from videos where title = 'Many'
  `
  await playlists.update(inner._id, { parent_id: top._id })
  const jobs = await db<{ payload: never }[]>`
    select payload from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = task_id where identifier = 'relate-videos'
  `
  assert.equal(jobs.length, 1)
  for (const { payload } of jobs) await relateVideos.run(payload, { database: api.database } as never)
  const { pagination } = await api.as('app').videos.list({ 'playlist_id.inclusive': top._id, per_page: 1 })
  assert.equal(pagination.pages, 1200)
  const last = await playlists.videos(inner._id, { per_page: 100, page: 11 })
  const before = await playlists.videos(inner._id, { per_page: 100, page: 10 })
  assert.deepEqual([last.response.length, before.response.length, last.pagination.pages], [100, 100, 12])
  assert.equal(last.response.at(-1)?._id, `d${(1200).toString(16).padStart(23, '0')}`)
  assert.equal(before.response[0]?._id, `d${(1001).toString(16).padStart(23, '0')}`)
})
