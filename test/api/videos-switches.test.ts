import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../support/api.js'
import { aroundMoment } from '../support/moments.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

test('five thousand videos with the same time are all switched before they are read', async () => {
  const { db } = api.database
  const site = api.channel.channel._id
  await db`
    insert into videos (_id, site_id, title, friendly_title, active, enable_at, switches_at)
    select lpad(to_hex(i), 24, '0'), ${site}, 'Release ' || i, 'release-' || i, false, moment, moment
    from generate_series(1, 5000) as i, (select now() + interval '1 hour' as moment) as m
  `
  assert.equal((await api.as('read_only').videos.list({ q: 'release' })).pagination.pages, 0)

  await db`update videos set enable_at = now(), switches_at = now() where site_id = ${site}`
  await api.parts.freshness.reschedule()
  assert.equal((await api.as('read_only').videos.list({ q: 'release', per_page: 100 })).pagination.pages, 50)
})

test('a video that is being written when it is due does not block requests', async () => {
  await aroundMoment(500, async ({ at, before, passed }) => {
    const video = await api.as('admin').videos.create({ title: 'Held', enable_at: at })
    await api.database.transaction(async (tx) => {
      await before(async () => tx`select from videos where _id = ${video._id} for update`)
      await passed()
      // Both requests succeed while the row is locked: the transaction ends after them.
      await api.other.as('admin').videos.list()
      await api.as('admin').account.get()
    })
    assert.equal((await api.as('read_only').videos.get(video._id)).active, true)
  })
})
