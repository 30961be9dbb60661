import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { aroundMoment } from '../support/moments.js'
import { ask } from './ask.js'
import { asViewer } from './viewers.js'

let api: TestApi
let viewer: TestConsumer
let stranger: TestConsumer
before(async () => {
  api = await startApi()
  viewer = await api.channel.consumer()
  stranger = await api.channel.consumer()
})
after(() => api.stop())

const newVideo = async (title = 'Loved', fields = {}) =>
  (await api.as('admin').videos.create({ title, ...fields }))._id
const favoritesOf = ({ _id }: TestConsumer) => `${api.url}/consumers/${_id}/video_favorites`

for (const format of formats) {
  test(`a favourite can be made, read, listed and removed (${format})`, async () => {
    const consumer = await api.channel.consumer()
    const { _id: consumer_id } = consumer
    const { video_favorites: favorites } = asViewer(api.url, consumer, format)
    const video_id = await newVideo()
    const made = await favorites.create(consumer_id, { video_id })
    assert.deepEqual(made, {
      _id: made._id,
      site_id: api.channel.channel._id,
      created_at: made.created_at,
      updated_at: made.updated_at,
      consumer_id,
      video_id,
    })
    assert.deepEqual(await favorites.create(consumer_id, { video_id }), made)
    assert.deepEqual(await favorites.get(consumer_id, made._id), made)
    const second = await favorites.create(consumer_id, { video_id: await newVideo('Second') })
    assert.deepEqual((await favorites.list(consumer_id)).response, [second, made])
    assert.deepEqual((await favorites.list(consumer_id, { video_id })).response, [made])
    const page = await favorites.list(consumer_id, { per_page: 1, page: 1 })
    assert.deepEqual(page.response, [made])
    assert.deepEqual([page.pagination.pages, page.pagination.previous], [2, 0])
    const admin = api.as('admin', format).video_favorites
    assert.deepEqual((await admin.list(consumer_id)).response, [second, made])

    await favorites.remove(consumer_id, made._id)
    const missing = { status: 404, message: 'Video favorite not found' }
    await assert.rejects(favorites.remove(consumer_id, made._id), missing)
    await assert.rejects(favorites.get(consumer_id, made._id), missing)
    await assert.rejects(favorites.remove(consumer_id, video_id), missing)
    assert.notEqual((await favorites.create(consumer_id, { video_id }))._id, made._id)
  })

  test(`favourites of other consumers are not found (${format})`, async () => {
    const theirs = asViewer(api.url, stranger, format).video_favorites
    const kept = await theirs.create(stranger._id, { video_id: await newVideo() })
    const own = asViewer(api.url, viewer, format).video_favorites
    const noConsumer = { status: 404, message: 'Consumer not found' }
    await assert.rejects(own.list(stranger._id), noConsumer)
    await assert.rejects(own.get(stranger._id, kept._id), noConsumer)
    await assert.rejects(own.create(stranger._id, { video_id: kept.video_id }), noConsumer)
    await assert.rejects(own.remove(stranger._id, kept._id), noConsumer)
    await assert.rejects(own.remove(viewer._id, kept._id), { status: 404 })
    await assert.rejects(own.get(viewer._id, kept._id), { status: 404 })
    const admin = api.as('admin', format).video_favorites
    await assert.rejects(admin.remove(viewer._id, kept._id), { status: 404 })
    await assert.rejects(api.other.as('admin', format).video_favorites.list(stranger._id), noConsumer)
    await assert.rejects(api.as('app', format).video_favorites.list(stranger._id), { status: 403 })
    await assert.rejects(api.as('read_only', format).video_favorites.list(stranger._id), { status: 403 })
    assert.deepEqual(await theirs.get(stranger._id, kept._id), kept)
  })

  test(`only a video that the caller sees can become a favourite (${format})`, async () => {
    const own = asViewer(api.url, viewer, format).video_favorites
    const unknown = { status: 422, errors: { video_id: ['is not the id of a video'] } }
    const hidden = await newVideo('Hidden', { active: false })
    const removed = await newVideo('Removed')
    await api.as('admin').videos.remove(removed)
    const elsewhere = (await api.other.as('admin').videos.create({ title: 'Theirs' }))._id
    for (const video_id of ['f'.repeat(24), hidden, removed, elsewhere])
      await assert.rejects(own.create(viewer._id, { video_id }), unknown)
    await assert.rejects(own.create(viewer._id, {} as never), { errors: { video_id: ['is required'] } })
    await assert.rejects(own.create(viewer._id, { video_id: 'x' }), {
      errors: { video_id: ['must be an id of 24 hexadecimal digits'] },
    })
    const kept = await api.as('admin', format).video_favorites.create(viewer._id, { video_id: hidden })
    assert.equal(kept.video_id, hidden)
  })
}

test('a favourite can be created by a query string with an empty body, a form or JSON', async () => {
  const json = { 'content-type': 'application/json' }
  const url = `${favoritesOf(viewer)}?access_token=${viewer.access_token}`
  const ways: ((video_id: string) => [string, RequestInit])[] = [
    (video_id) => [`${url}&video_id=${video_id}`, { headers: json }],
    (video_id) => [`${url}&video_favorite[video_id]=${video_id}`, {}],
    (video_id) => [url, { body: new URLSearchParams({ video_id }) }],
    (video_id) => [url, { headers: json, body: JSON.stringify({ video_id }) }],
    (video_id) => [url, { headers: json, body: JSON.stringify({ video_favorite: { video_id } }) }],
  ]
  for (const way of ways) {
    const video_id = await newVideo()
    const [address, init] = way(video_id)
    const { status, body, text } = await ask(address, 'json', { method: 'POST', ...init })
    assert.deepEqual([status, body.response.video_id], [201, video_id], text)
  }
})

test('a favourite is removed by POST with _method=delete, in the body or the query string', async () => {
  const { video_favorites: favorites } = asViewer(api.url, viewer)
  for (const inQuery of [true, false]) {
    const { _id } = await favorites.create(viewer._id, { video_id: await newVideo() })
    const token = { access_token: viewer.access_token, _method: 'delete' }
    const query = inQuery ? `?${new URLSearchParams(token)}` : ''
    const { status, text } = await ask(`${favoritesOf(viewer)}/${_id}${query}`, 'json', {
      method: 'POST',
      ...(inQuery ? {} : { body: new URLSearchParams(token) }),
    })
    assert.deepEqual([status, text], [204, ''])
    await assert.rejects(favorites.get(viewer._id, _id), { status: 404 })
  }
})

for (const format of formats)
  test(`details show the videos, and null for those not published any more (${format})`, async () => {
    const consumer = await api.channel.consumer()
    const { videos } = api.as('admin')
    const { video_favorites: favorites } = asViewer(api.url, consumer, format)
    const shown = await newVideo('Shown', { season: 2, series_id: 'The West', description: 'Long' })
    const hidden = await newVideo('Hidden later')
    const removed = await newVideo('Removed later')
    for (const video_id of [shown, hidden, removed]) await favorites.create(consumer._id, { video_id })
    await videos.update(hidden, { active: false })
    await videos.remove(removed)

    const list = async (credential: string, query = '') =>
      (
        await ask(
          `${favoritesOf(consumer)}?${credential}&details=true&sort=created_at&order=asc${query}`,
          format,
        )
      ).body
    const titles = (records: readonly Readonly<Record<string, unknown>>[]) =>
      records.map(({ video_details: details }) => (details as { title: string } | null)?.title ?? null)
    const token = `access_token=${consumer.access_token}`
    const { response, pagination } = await list(token)
    assert.deepEqual(titles(response), ['Shown', null, null])
    const details = response[0]?.video_details as Record<string, unknown>
    assert.deepEqual([details.season, details.description, details.thumbnails], [2, 'Long', []])
    assert.deepEqual([details.series, 'series_id' in details], ['The West', false])
    assert.deepEqual([pagination.pages, pagination.per_page], [1, 10])
    assert.deepEqual(titles((await list(`api_key=${api.channel.keys.admin}`)).response), [
      'Shown',
      'Hidden later',
      null,
    ])
    const named = (await list(token, '&response_fields=video_details')).response
    assert.deepEqual(Object.keys(named[0] ?? {}).sort(), ['_id', 'video_details'])
    assert.deepEqual(titles(named), ['Shown', null, null])
    for (const details of ['', '&details=', '&details=false']) {
      const plain = await ask(`${favoritesOf(consumer)}?${token}${details}`, format)
      assert.ok(plain.body.response[0] && !('video_details' in plain.body.response[0]), details)
    }
  })

test('a video past its disable_at can neither become a favourite nor be shown as one', async () => {
  const consumer = await api.channel.consumer()
  const favorites = asViewer(api.url, consumer).video_favorites
  await aroundMoment(700, async ({ at, before, passed }) => {
    const video_id = await newVideo('Brief', { disable_at: at })
    await before(() => favorites.create(consumer._id, { video_id }))
    await passed()
    const { body } = await ask(`${favoritesOf(consumer)}?access_token=${consumer.access_token}&details=true`)
    assert.equal(body.response[0]?.video_details, null)
    await assert.rejects(favorites.create(consumer._id, { video_id }), { status: 422 })
  })
})

test('favourites are removed with their consumer or their video', async () => {
  const consumer = await api.channel.consumer()
  const favorites = asViewer(api.url, consumer).video_favorites
  const gone = await newVideo()
  const { _id } = await favorites.create(consumer._id, { video_id: gone })
  await api.database.db`delete from videos where _id = ${gone}`
  await assert.rejects(favorites.get(consumer._id, _id), { status: 404 })
  await favorites.create(consumer._id, { video_id: await newVideo() })
  await api.as('admin').consumers.remove(consumer._id)
  const left = await api.database.db`select from video_favorites where consumer_id = ${consumer._id}`
  assert.equal(left.length, 0)
  await assert.rejects(api.as('admin').video_favorites.list(consumer._id), { status: 404 })
  await assert.rejects(favorites.list(consumer._id), { status: 401 })
})

test('twenty requests for one favourite at once give one record', async () => {
  const video_id = await newVideo()
  const favorites = asViewer(api.url, viewer).video_favorites
  const made = await Promise.all(Array.from({ length: 20 }, () => favorites.create(viewer._id, { video_id })))
  assert.equal(new Set(made.map(({ _id }) => _id)).size, 1)
})

test('a consumer who was removed through another server gets no half-made favourite', async () => {
  const consumer = await api.channel.consumer()
  const favorites = asViewer(api.url, consumer).video_favorites
  const video_id = await newVideo()
  await favorites.list(consumer._id)
  await api.database.db`delete from consumers where _id = ${consumer._id}`
  await assert.rejects(favorites.create(consumer._id, { video_id }), { status: 422 })
})
