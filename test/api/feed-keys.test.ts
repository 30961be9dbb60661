import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
let playlist_id: string
before(async () => {
  api = await startApi()
  playlist_id = (await api.as('admin').playlists.create({ title: 'Early films' }))._id
})
after(() => api.stop())

async function newFeed() {
  const feed = await api.as('admin').feeds.create({ playlist_id })
  return { feed, key: await api.as('admin').feed_keys.create(feed._id, { name: 'Partner' }) }
}

for (const format of formats)
  test(`a feed and its keys can be created, read, listed and removed (${format})`, async () => {
    const { feeds, feed_keys } = api.as('admin', format)
    const feed = await feeds.create({ playlist_id })
    assert.deepEqual([feed.title, feed.media, feed.item_limit, feed.active], [null, 'hls', 100, true])
    assert.deepEqual((await feeds.list({ playlist_id })).response.at(0)?._id, feed._id)
    assert.equal((await feeds.update(feed._id, { title: 'Other' })).title, 'Other')

    const key = await feed_keys.create(feed._id, { name: 'Partner' })
    assert.match(key.key, /^zk_feed_[0-9a-f]{40}$/)
    assert.equal(key.mrss_url, `${api.url}/feeds/${feed._id}/mrss?feed_key=${key.key}`)
    assert.deepEqual(await feed_keys.get(feed._id, key._id), key)
    assert.deepEqual((await feed_keys.list(feed._id)).response, [key])
    assert.equal((await fetch(key.json_url ?? '')).status, 200)

    await feed_keys.remove(feed._id, key._id)
    assert.equal((await fetch(key.json_url ?? '')).status, 401)
    await feeds.remove(feed._id)
    await assert.rejects(feeds.get(feed._id), { status: 404, message: 'Feed not found' })
  })

test('a feed key gives access to its own feed only, and no other credential does', async () => {
  const { feed, key } = await newFeed()
  const other = await newFeed()
  const { _id: film } = await api.as('admin').videos.create({ title: 'Film' })
  const place = `${api.url}/feeds/${feed._id}/mrss`
  const status = async (url: string, headers = {}) => (await fetch(url, { headers })).status
  assert.equal(await status(place, { 'x-feed-key': key.key }), 200)
  assert.equal(await status(`${place}.xml/?feed_key=${key.key}`), 200)
  assert.equal(await status(`${place}?feed_key=${other.key.key}`), 404)
  for (const wrong of [
    '',
    '?feed_key=',
    `?feed_key=${key.key}x`,
    '?feed_key[a]=1',
    `?feed_key=${'x'.repeat(300)}`,
  ])
    assert.equal(await status(place + wrong), 401, wrong)
  assert.equal(await status(`${place}?api_key=${api.channel.keys.admin}`), 401)
  for (const path of [
    '/videos',
    `/feeds/${feed._id}`,
    `/feeds/${feed._id}/keys`,
    `/embed/${film}`,
    `/manifest/${film}.m3u8`,
  ])
    for (const name of ['feed_key', 'api_key', 'app_key', 'access_token'])
      assert.equal(await status(`${api.url}${path}?${name}=${key.key}`), 401, `${path} ${name}`)

  await api.as('admin').feeds.update(feed._id, { active: false })
  assert.equal(await status(`${place}?feed_key=${key.key}`), 404)
  const expiring = await api
    .as('admin')
    .feed_keys.create(other.feed._id, { expires_at: new Date(Date.now() - 1) })
  assert.equal(await status(expiring.rss_url ?? ''), 401)
})

test('playlists and feeds of another channel are not found', async () => {
  const { feeds, feed_keys } = api.other.as('admin')
  const missing = { status: 404, message: 'Playlist not found' }
  await assert.rejects(feeds.create({ playlist_id }), missing)
  await assert.rejects(feeds.list({ playlist_id }), missing)
  const { _id: theirs } = await api.other.as('admin').playlists.create({ title: 'Theirs' })
  const feed = await feeds.create({ playlist_id: theirs })
  await assert.rejects(feeds.update(feed._id, { playlist_id }), missing)
  const { feed: ours, key } = await newFeed()
  await assert.rejects(feed_keys.list(ours._id), { status: 404, message: 'Feed not found' })
  await assert.rejects(feed_keys.create(ours._id, {}), { status: 404 })
  await assert.rejects(feed_keys.get(feed._id, key._id), { status: 404, message: 'Feed key not found' })
  assert.equal((await ask(`${api.url}/feeds/${feed._id}/json?feed_key=${key.key}`)).status, 404)
})
