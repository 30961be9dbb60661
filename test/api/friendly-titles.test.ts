/** Friendly titles are unique in a channel, even if many records are created at once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { lockTree } from '../../packages/server/src/features/playlists/place.js'
import { takeItem, type VideoSource } from '../../packages/server/src/films/feed-items.js'
import { relateBelow } from '../../packages/server/src/jobs/relate-videos.job.js'
import { restoreVideos } from '../../packages/server/src/jobs/restore-videos.job.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { contextOf } from '../support/media.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
after(() => api.stop())

const twenty = <T>(make: (number: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, number) => make(number)))

function checkDistinct(
  records: readonly { readonly _id: string; readonly friendly_title: string }[],
  title: string,
) {
  const titles = records.map(({ friendly_title }) => friendly_title)
  assert.equal(new Set(titles).size, records.length)
  assert.equal(titles.filter((each) => each === title).length, 1)
  for (const { _id, friendly_title } of records)
    assert.ok([title, `${title}-${_id.slice(-8)}`].includes(friendly_title), friendly_title)
}

test('twenty videos made at once under one title have twenty friendly titles', async () => {
  const { videos } = api.as('admin')
  checkDistinct(await twenty(() => videos.create({ title: 'At once' })), 'at-once')
})

test('so do twenty playlists, and twenty categories whose titles make the same word', async () => {
  const { playlists, categories } = api.as('admin')
  checkDistinct(await twenty(() => playlists.create({ title: 'At once' })), 'at-once')
  checkDistinct(await twenty((number) => categories.create({ title: `Same${'!'.repeat(number)}` })), 'same')
})

test('so do twenty zobjects of one type, while another type has titles of its own', async () => {
  const { zobject_types, zobjects } = api.as('admin')
  for (const title of ['person', 'place']) {
    await zobject_types.create({ title })
    const make = () => zobjects.create({ zobject_type: title, title: 'At once' })
    checkDistinct(await twenty(make), 'at-once')
  }
})

const aFeed = async (wanted: Partial<VideoSource> = {}): Promise<VideoSource> => {
  const made = await api
    .as('admin')
    .video_sources.create({ type: 'mrss', url: 'https://films.example/feed.xml' })
  return {
    ...{ site_id: api.channel.channel._id, source_id: made._id, revision: 1, url: made.url ?? '' },
    ...{ auto_add: true, auto_activate: true, auto_deactivate: false, sync_video_data_source: true },
    ...{ import_from: null, import_to: null, mrss_category_values: [], category_id: null },
    ...wanted,
  }
}

const anItem = (guid: string, title: string, categories: readonly string[] = []) => ({
  ...{ guid, title, categories, description: null, keywords: [], publishedAt: null, thumbnail: null },
  url: `https://films.example/${guid}.mp4`,
})

test('so do twenty films of a feed', async () => {
  const { database } = api
  const source = await aFeed()
  await twenty((number) =>
    database.transaction((tx) => takeItem(tx, source, anItem(`film-${number}`, 'From a feed'))),
  )
  const { response } = await api.as('admin').videos.list({ title: 'From a feed', per_page: 100 })
  assert.equal(response.length, 20)
  checkDistinct(response, 'from-a-feed')
})

test('a friendly title that is taken is rejected with the name of the field', async () => {
  const { videos, playlists } = api.as('admin')
  const taken = {
    status: 422,
    message: 'Another record has this friendly_title already. Choose another one.',
    errors: { friendly_title: ['is taken'] },
  }
  await videos.create({ title: 'First', friendly_title: 'mine' })
  await assert.rejects(videos.create({ title: 'Second', friendly_title: 'mine' }), taken)
  const other = await videos.create({ title: 'Third' })
  await assert.rejects(videos.update(other._id, { friendly_title: 'mine' }), taken)
  await playlists.create({ title: 'First', friendly_title: 'mine' })
  await assert.rejects(playlists.create({ title: 'Second', friendly_title: 'mine' }), taken)
})

test('a deleted video frees its friendly title, and gets another one if that is taken when it is restored', async () => {
  const { videos } = api.as('admin')
  const old = await videos.create({ title: 'Phoenix' })
  await videos.remove(old._id)
  const next = await videos.create({ title: 'Phoenix' })
  assert.equal(next.friendly_title, 'phoenix')

  const back = await videos.restore(old._id)
  assert.equal(back.friendly_title, `phoenix-${old._id.slice(-8)}`)
  assert.equal((await videos.get(next._id)).friendly_title, 'phoenix')
})

test('many videos restored together get free friendly titles too', async () => {
  const { videos } = api.as('admin')
  const { db } = api.database
  const site_id = api.channel.channel._id
  const old = [await videos.create({ title: 'Heron' }), await videos.create({ title: 'Stork' })]
  for (const { _id } of old) await videos.remove(_id)
  const twin = await videos.create({ title: 'Heron' })
  await videos.remove(twin._id)
  const ids = [...old, twin].map(({ _id }) => _id)
  await db`update videos set deleted_at = '2026-01-01', status = 'deleted' where _id = any(${ids})`
  await videos.create({ title: 'Stork' })

  await restoreVideos.run({ site_id, at: '2026-01-01', author: 'admin' }, contextOf(api))
  const titles = (await Promise.all(ids.map((id) => videos.get(id)))).map((each) => each.friendly_title)
  assert.deepEqual(titles, ['heron', `stork-${ids[1]?.slice(-8)}`, `heron-${ids[2]?.slice(-8)}`])
})

test('restoring a version restores all fields, except a friendly title that is taken', async () => {
  const { videos } = api.as('admin')
  const { _id } = await videos.create({ title: 'Owl', genre: 'Birds' })
  await videos.update(_id, { country: 'Chad' })
  await videos.update(_id, { friendly_title: 'eagle-owl', genre: 'Owls' })
  await videos.create({ title: 'Owl' })
  const back = await videos.restoreVersion(_id, { number: 1 })
  assert.deepEqual([back.genre, back.friendly_title], ['Birds', 'eagle-owl'])
})

test('a film of a feed sees the rules of a playlist that are changed at the same moment', async () => {
  const { database } = api
  const { db } = database
  const site_id = api.channel.channel._id
  const genre = await api.as('admin').categories.create({ title: 'Genre', values: ['Drama'] })
  const playlist = await api.as('admin').playlists.create({ title: 'Drama', playlist_type: 'category' })
  const source = await aFeed({ category_id: genre._id })
  const film = anItem('drama', 'A drama', ['Drama'])
  let taken = false
  const take = async () => {
    await database.transaction((tx) => takeItem(tx, source, film))
    taken = true
  }
  const isWaiting = async () =>
    (
      await db`select from pg_locks where locktype = 'advisory' and not granted and database = (
      select oid from pg_database where datname = current_database()
    )`
    ).length > 0

  let taking: Promise<void> | undefined
  await database.transaction(async (tx) => {
    await lockTree(tx, { site_id })
    const rules = [{ category_id: genre._id, title: genre.title, value: ['Drama'], exclude_values: [] }]
    await tx`update playlists set categories = ${rules as never} where site_id = ${site_id} and _id = ${playlist._id}`
    await relateBelow(tx, site_id, playlist._id)
    taking = take()
    while (!taken && !(await isWaiting())) await delay(10)
  })
  await taking
  const { response } = await api.as('admin').videos.list({ title: 'A drama' })
  assert.deepEqual(response[0]?.related_playlist_ids, [playlist._id])
})
