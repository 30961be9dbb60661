import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endEntitlements } from '../../packages/server/src/jobs/end-entitlements.job.js'
import { startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { jobContext } from '../support/job-context.js'
import { newPlaylist } from './access-targets-money.js'
import { ask } from './ask.js'

/** How many are deleted at once. */
const batch = 1000

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const mayWatch = async (video_id: string, { access_token }: TestConsumer) =>
  (await ask(`${api.url}/videos/${video_id}/entitled?access_token=${access_token}`)).status === 200

/** Gives a playlist with one video to a consumer of ours, and to the given number of other consumers. */
async function givenToMany(others: number) {
  const { videos, playlists, playlist_entitlements } = api.as('admin')
  const site_id = api.channel.channel._id
  const { _id: video_id } = await videos.create({ title: 'Given to many', purchase_required: true })
  const playlist_id = await newPlaylist(api.channel)
  await playlists.addVideos(playlist_id, { video_id: [video_id] })
  const viewer = await api.channel.consumer()
  await playlist_entitlements.create(viewer._id, { playlist_id })
  const { db } = api.database
  await db`
    insert into consumers (_id, site_id, email)
    select left(md5(${playlist_id} || number), 24), ${site_id}, number || '@' || ${playlist_id} || '.example'
    from generate_series(1, ${others}::int) as number
  `
  // Without statistics, what follows may take ten times as long.
  await db`analyze consumers`
  await db`
    insert into playlist_entitlements (_id, site_id, consumer_id, playlist_id)
    select left(md5('given' || _id), 24), site_id, _id, ${playlist_id} from consumers
    where site_id = ${site_id} and email like ${`%@${playlist_id}.example`}
  `
  await db`analyze playlist_entitlements`
  return { video_id, playlist_id, viewer }
}

async function held(playlist_id: string): Promise<number> {
  const [row] = await api.database.db<{ held: number }[]>`
    select count(*)::int as held from playlist_entitlements
    where site_id = ${api.channel.channel._id} and playlist_id = ${playlist_id}
  `
  return row?.held ?? 0
}

/** How many playlists the others who were given this one have by their counts. */
async function counted(playlist_id: string): Promise<number> {
  const [row] = await api.database.db<{ counted: number }[]>`
    select sum(playlist_count)::int as counted from consumers
    where site_id = ${api.channel.channel._id} and email like ${`%@${playlist_id}.example`}
  `
  return row?.counted ?? 0
}

const finish = (playlist_id: string) =>
  endEntitlements.run({ site_id: api.channel.channel._id, playlist_id }, jobContext(api))

async function undoRemoval(playlist_id: string) {
  const { response } = await api.as('admin').events.list({ record_id: playlist_id, type: 'playlist.deleted' })
  const undone = await ask(`${api.url}/events/${response[0]?._id}/undo`, 'json', {
    method: 'POST',
    headers: { 'x-api-key': api.channel.keys.admin },
  })
  assert.equal(undone.status, 200, JSON.stringify(undone.body))
}

test('a playlist of many consumers is removed at once, and their entitlements in the background', async () => {
  const others = 2 * batch
  const { video_id, playlist_id, viewer } = await givenToMany(others)
  assert.equal(await mayWatch(video_id, viewer), true)
  await api.as('admin').playlists.remove(playlist_id)
  assert.equal(await mayWatch(video_id, viewer), false)
  assert.equal(await held(playlist_id), others + 1 - batch)
  const waiting = await api.database.db`
    select from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = task_id
    where identifier = 'end-entitlements' and payload ->> 'playlist_id' = ${playlist_id}
  `
  assert.equal(waiting.length, 1)
  await finish(playlist_id)
  assert.deepEqual([await held(playlist_id), await counted(playlist_id)], [0, 0])
  const events = await api.as('admin').events.list({ type: 'playlist_entitlement.ended' })
  assert.deepEqual(events.response, [])
  await undoRemoval(playlist_id)
  assert.deepEqual([await held(playlist_id), await counted(playlist_id)], [others + 1, others])
  assert.equal(await mayWatch(video_id, viewer), true)
})

test('undoing the removal while entitlements are still being deleted loses none', async () => {
  const others = batch + 100
  const { video_id, playlist_id, viewer } = await givenToMany(others)
  await api.as('admin').playlists.remove(playlist_id)
  await undoRemoval(playlist_id)
  await finish(playlist_id)
  assert.deepEqual([await held(playlist_id), await counted(playlist_id)], [others + 1, others])
  assert.equal(await mayWatch(video_id, viewer), true)
  await api.as('admin').playlists.remove(playlist_id)
  await finish(playlist_id)
  assert.deepEqual([await held(playlist_id), await counted(playlist_id)], [0, 0])
})

test('nobody can be entitled to a playlist that is gone', async () => {
  const playlist_id = await newPlaylist(api.channel)
  const { _id: consumer_id, site_id } = {
    ...(await api.channel.consumer()),
    site_id: api.channel.channel._id,
  }
  await api.as('admin').playlists.remove(playlist_id)
  await assert.rejects(
    api.database.db`
      insert into playlist_entitlements (_id, site_id, consumer_id, playlist_id)
      values (${playlist_id}, ${site_id}, ${consumer_id}, ${playlist_id})
    `,
    { code: '23503' },
  )
})
