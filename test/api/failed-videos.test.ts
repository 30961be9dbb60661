import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startOwnApi, type TestApi } from '../support/api.js'
import { untilEqual } from '../support/patience.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
after(() => api.stop())

const reason = 'The file is no film.'
const fail = (id: string) =>
  api.database.db`update videos set status = 'failed', status_reason = ${reason} where _id = ${id}`

test('a video whose film failed is shown to publishers only: in lists, by id, in players and on pages', async () => {
  const [admin, reader] = [api.as('admin'), api.as('read_only')]
  const { _id: failed } = await admin.videos.create({ title: 'Wreck', genre: 'Documentary' })
  const { _id: other } = await admin.videos.create({ title: 'Harbour', genre: 'Documentary' })
  const { _id: playlist } = await admin.playlists.create({ title: 'By the sea' })
  await admin.playlists.addVideos(playlist, { video_id: [failed, other] })
  const relative = { anchor_video_id: other, before: 1 }
  const seenBy = async ({ videos, playlists }: typeof admin) =>
    Promise.all([
      videos.list().then(({ response, pagination }) => [response.length, pagination.total]),
      videos.list({ genre: 'Documentary' }).then(({ pagination }) => pagination.total),
      videos.list({ q: 'wreck' }).then(({ response }) => response.length),
      playlists.videos(playlist, {}).then(({ response }) => response.length),
      playlists.videos(playlist, { sort: 'title' }).then(({ response }) => response.length),
      playlists.videosRelative(playlist, relative).then(({ response }) => response.length),
    ])
  const everything = [[2, 2], 2, 1, 2, 2, 1]
  assert.deepEqual([await seenBy(admin), await seenBy(reader)], [everything, everything])

  const consumer = await api.channel.consumer()
  await admin.playlist_entitlements.create(consumer._id, { playlist_id: playlist })
  const file = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nAhoy\n').toString('base64')
  const { url: subtitle } = await admin.subtitles.create(failed, { language: 'en', file })
  const entitled = async () =>
    (await ask(`${api.url}/consumer/videos?access_token=${consumer.access_token}`)).body.response.length
  assert.deepEqual([await entitled(), (await fetch(subtitle)).status], [2, 200])

  await fail(failed)
  await untilEqual(() => seenBy(reader), [[1, 1], 1, 0, 1, 1, 0])
  assert.deepEqual(await seenBy(admin), everything)
  await assert.rejects(reader.videos.get(failed), { status: 404 })
  await assert.rejects(reader.subtitles.list(failed), { status: 404 })
  assert.equal((await admin.videos.get(failed)).status_reason, reason)

  assert.equal(await entitled(), 1)
  assert.equal((await fetch(subtitle)).status, 401)
  assert.equal((await fetch(`${subtitle}?api_key=${api.channel.keys.read_only}`)).status, 404)
  assert.equal((await fetch(`${subtitle}?api_key=${api.channel.keys.admin}`)).status, 200)

  const share = `/watch/${failed}`
  const key = `player_key=${api.channel.keys.player}`
  for (const page of [share, `/embed/${failed}?${key}`, `/oembed?url=${api.url}${share}`]) {
    const reply = await fetch(`${api.url}${page}`)
    assert.equal(reply.status, 404, page)
    assert.doesNotMatch(await reply.text(), /The file is|Wreck/)
  }
})

test('pages far into a list are right for viewers where films failed, and kept until a film changes', async () => {
  const channel = api.other
  // Four days, thousands in a minute: pages are found by the counts of days, minutes and in the index.
  await api.database.db`
    insert into videos (_id, site_id, title, friendly_title, created_at, status)
    select lpad(to_hex(n), 24, '0'), ${channel.channel._id}, 'Film ' || n, 'film-' || n,
      timestamptz '2026-01-01' + (n / 4000) * interval '1 day' + (n % 4) * interval '1 minute',
      case when n % 5 = 0 then 'failed' else 'ready' end
    from generate_series(1, 16000) as n
  `
  const [admin, reader] = [channel.as('admin'), channel.as('read_only')]
  const all = await api.database.db<{ _id: string; status: string }[]>`
    select _id, status from videos where site_id = ${channel.channel._id} order by created_at desc, _id desc
  `
  const seen = all.filter(({ status }) => status === 'ready').map(({ _id }) => _id)
  const read = async (videos: typeof reader.videos, page: number, order: 'asc' | 'desc' = 'desc') => {
    const { response, pagination } = await videos.list({ page, per_page: 10, order })
    return { ids: response.map(({ _id }) => _id), total: pagination.total }
  }
  const backwards = seen.toReversed()
  for (const page of [0, 3, 260, 640, 700, 1000, 1279]) {
    const place = page * 10
    assert.deepEqual(
      await read(reader.videos, page),
      { ids: seen.slice(place, place + 10), total: 12_800 },
      `${page}`,
    )
    assert.deepEqual((await read(reader.videos, page, 'asc')).ids, backwards.slice(place, place + 10))
  }
  assert.deepEqual((await read(admin.videos, 1599)).total, 16_000)

  const [newest = ''] = seen
  await fail(newest)
  await untilEqual(() => read(reader.videos, 0), { ids: seen.slice(1, 11), total: 12_799 })
  await api.database.db`update videos set status = 'ready' where _id = ${newest}`
  await untilEqual(() => read(reader.videos, 0), { ids: seen.slice(0, 10), total: 12_800 })
})
