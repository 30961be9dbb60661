import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startApi, type TestApi } from '../support/api.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

test('five thousand videos of one moment are all switched before they are read', async () => {
  const { db } = api.database
  const site = api.channel.channel._id
  await db`
    insert into videos (_id, site_id, title, friendly_title, active, enable_at, switches_at)
    select lpad(to_hex(i), 24, '0'), ${site}, 'Release ' || i, 'release-' || i, false, moment, moment
    from generate_series(1, 5000) as i, (select now() + interval '6 seconds' as moment) as m
  `
  await api.parts.freshness.reschedule()
  assert.equal((await api.as('read_only').videos.list({ q: 'release' })).pagination.pages, 0)

  await delay(6100)
  assert.equal((await api.as('read_only').videos.list({ q: 'release', per_page: 100 })).pagination.pages, 50)
})

test('a video that somebody is writing when its moment comes keeps nobody waiting', async () => {
  const video = await api.as('admin').videos.create({ title: 'Held', enable_at: new Date(Date.now() + 500) })
  await api.database.transaction(async (tx) => {
    await tx`select from videos where _id = ${video._id} for update`
    await delay(700)

    const begun = performance.now()
    await api.other.as('admin').videos.list()
    await api.as('admin').account.get()
    assert.ok(performance.now() - begun < 2000)
  })
  assert.equal((await api.as('read_only').videos.get(video._id)).active, true)
})
