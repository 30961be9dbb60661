import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'
import { asViewer } from './viewers.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

for (const format of formats)
  test(`consumers read their own entitlements without naming themselves (${format})`, async () => {
    const consumer = await api.channel.consumer()
    const stranger = await api.channel.consumer()
    const admin = api.as('admin', format)
    const { _id: video_id } = await admin.videos.create({ title: 'Opened' })
    const made = await admin.video_entitlements.create(consumer._id, { video_id, transaction_id: 't-1' })
    assert.equal(made.video_title, 'Opened')
    await admin.video_entitlements.create(stranger._id, { video_id })
    const own = asViewer(api.url, consumer, format)
    assert.deepEqual((await own.own_video_entitlements.list()).response, [made])
    assert.deepEqual((await own.own_video_entitlements.list({ transaction_id: 't-2' })).response, [])
    assert.deepEqual((await own.own_video_entitlements.list({ q: 'open' })).response, [made])
    assert.deepEqual((await own.own_video_entitlements.list({ q: 'closed' })).response, [])
    assert.deepEqual((await own.own_playlist_entitlements.list()).response, [])
    const expires_at = '2031-05-06T07:08:09.000Z'
    const ending = await admin.video_entitlements.create(consumer._id, { video_id, expires_at })
    const endingAt = async (at: string) =>
      (await own.own_video_entitlements.list({ expires_at: at })).response
    for (const at of [expires_at, '2031-05-06', String(Date.parse(expires_at) / 1000)])
      assert.deepEqual(await endingAt(at), [ending], at)
    for (const at of ['2031-05-07', '2031-05-06T07:08:10Z']) assert.deepEqual(await endingAt(at), [], at)
    await assert.rejects(api.as('app', format).own_video_entitlements.list(), { status: 403 })
    await assert.rejects(admin.own_video_entitlements.list(), { status: 404, message: 'Consumer not found' })
    const elsewhere = (await api.other.as('admin').videos.create({ title: 'Theirs' }))._id
    await assert.rejects(admin.video_entitlements.create(consumer._id, { video_id: elsewhere }), {
      status: 404,
      message: 'Video not found',
    })
  })

test('/consumer/videos works as existing apps use it', async () => {
  const { access_token } = await api.channel.consumer()
  for (const path of ['/consumer/videos', '/consumer/playlists/']) {
    const { status, body } = await ask(
      `${api.url}${path}?access_token=${access_token}&sort=created_at&order=asc`,
    )
    assert.deepEqual([status, body.response], [200, []])
  }
})
