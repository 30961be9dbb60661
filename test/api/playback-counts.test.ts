import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { jobs } from '../../packages/server/src/jobs/index.js'
import { openRequestCounts } from '../../packages/server/src/playback/request-counts.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { addPublisher, signInAs } from '../support/publishers.js'

let api: TestApi
let id: string
before(async () => {
  api = await startOwnApi()
  id = (await api.as('admin').videos.create({ title: 'Counted' }))._id
})
after(() => api.stop())

const sum = () =>
  jobs.find(({ name }) => name === 'sum-requests')?.run({}, { database: api.database } as never)
const countOf = async () => (await api.as('admin').videos.get(id)).request_count

test('player requests are counted with a delay, and nothing else in the video changes', async () => {
  const { keys } = api.channel
  const before = await api.as('admin').videos.get(id)
  const query = `api_key=${keys.player}`
  for (const path of [`/embed/${id}`, `/embed/${id}.html`, `/embed/${id}.js`, `/watch/${id}`])
    assert.equal((await fetch(`${api.url}${path}?${query}`)).status, 200)
  await fetch(`${api.url}/embed/${id}?${query}`, { method: 'HEAD' })
  await fetch(`${api.url}/videos/${id}/player?${query}`)
  await fetch(`${api.url}/embed/${id}`)
  const { cookie } = await signInAs(api, await addPublisher(api, [api.channel, 'editor']))
  for (const path of [`/embed/${id}`, `/embed/${id}.html`, `/watch/${id}`]) {
    const preview = await fetch(`${api.url}${path}?channel_id=${api.channel.channel._id}`, {
      headers: { cookie },
    })
    assert.equal(preview.status, 200)
    assert.doesNotMatch(await preview.text(), /\/playback\/[^"]+\/plays/)
  }
  const waiting = () => api.database.db`select from video_requests`
  for (let tries = 0; tries < 1000 && (await waiting()).length === 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(await countOf(), 0)

  await sum()
  await sum()

  assert.deepEqual(await api.as('admin').videos.get(id), { ...before, request_count: 4 })
  assert.equal((await waiting()).length, 0)
})

test('counts of several servers add up, also for removed videos', async () => {
  const before = await countOf()
  const site_id = api.channel.channel._id
  const servers = [1, 2].map(() => openRequestCounts(api.database.db, (error) => assert.fail(String(error))))
  for (const server of servers) {
    for (let times = 0; times < 5; times += 1) server.add(site_id, id)
    server.add(site_id, 'f'.repeat(24))
    await server.close()
  }
  await sum()
  assert.equal(await countOf(), before + 10)
})

test('counts that cannot be written are written later', async () => {
  const before = await countOf()
  const problems: unknown[] = []
  const { db } = api.database
  const counts = openRequestCounts(db, (error) => problems.push(error))
  counts.add(api.channel.channel._id, id)
  await db`alter table video_requests rename to put_away`
  await counts.flush()
  await db`alter table put_away rename to video_requests`
  counts.add(api.channel.channel._id, id)
  await counts.close()
  await sum()
  assert.equal(problems.length, 1)
  assert.equal(await countOf(), before + 2)
})
