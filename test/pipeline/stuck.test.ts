import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { rescueVideos } from '../../packages/server/src/jobs/rescue-videos.job.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { contextOf, openWorker, untilPrepared, uploadClip, uploadFilm } from '../support/media.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
after(() => api.stop())
beforeEach(async () => {
  await api.database.db`delete from videos`
  await loseJobs()
})

const loseJobs = () => api.database.db`delete from graphile_worker._private_jobs`
const rescue = () => rescueVideos.run({}, contextOf(api))
const recordOf = (id: string) => api.as('admin').videos.get(id)

/** Simulates a quarter of an hour without any progress. */
async function later(): Promise<void> {
  const { db } = api.database
  await db`update sources set updated_at = updated_at - interval '15 minutes'`
  await db`update videos set updated_at = updated_at - interval '15 minutes'`
}

const jobsNow = async () =>
  (
    await api.database.db<
      { key: string }[]
    >`select key from graphile_worker.jobs where key is not null order by 1`
  ).map(({ key }) => key)

async function uploaded() {
  const { _id, site_id, data_sources } = await uploadClip(api, await makeClip({ seconds: 2 }), 'Film')
  return { _id, site_id, source_id: data_sources[0]?._id ?? '' }
}

test('a film whose job was lost is prepared after all', async () => {
  const { _id, source_id } = await uploaded()
  await loseJobs()
  await rescue()
  assert.deepEqual(await jobsNow(), [], 'too early')
  await later()
  await rescue()
  await rescue()
  assert.deepEqual(await jobsNow(), [`prepare:${source_id}`])
  const worker = openWorker(api)
  assert.equal((await untilPrepared(api, _id)).status, 'ready')
  await worker.stop()
})

test('a job that was tried too often is begun anew; one that waits for its next try is left alone', async () => {
  const { db } = api.database
  const { source_id } = await uploaded()
  await later()
  await db`update graphile_worker._private_jobs set attempts = 5, run_at = now() + interval '1 hour'`
  await rescue()
  const attempts = () =>
    db<
      { attempts: number }[]
    >`select attempts from graphile_worker.jobs where key = ${`prepare:${source_id}`}`
  assert.equal((await attempts())[0]?.attempts, 5)
  await db`update graphile_worker._private_jobs set attempts = max_attempts`
  await rescue()
  assert.equal((await attempts())[0]?.attempts, 0)
})

test('a film that was removed while it was prepared, and brought back, is prepared', async () => {
  const { _id, site_id, source_id } = await uploaded()
  await api.as('admin').videos.remove(_id)
  await prepare.run({ site_id, source_id }, contextOf(api))
  await loseJobs()
  await later()
  await rescue()
  assert.deepEqual(await jobsNow(), [], 'nobody waits for it')

  assert.equal((await api.as('admin').videos.restore(_id)).status, 'processing')
  await later()
  await rescue()
  assert.deepEqual(await jobsNow(), [`prepare:${source_id}`])
})

test('a film that is to replace another is not forgotten', async () => {
  const { _id, site_id, source_id } = await uploaded()
  await prepare.run({ site_id, source_id }, contextOf(api))
  const next = (await uploadFilm(api, await makeClip({ seconds: 2 }), { video_id: _id })).data_sources.at(-1)
  await api.database.db`update videos set complete_at = now()`
  await loseJobs()
  await later()
  await rescue()
  assert.deepEqual(await jobsNow(), [`prepare:${next?._id}`])
})

test('a film that plays and is not whole is made whole, unless a part of it cannot be made', async () => {
  const { site_id, source_id } = await uploaded()
  await prepare.run({ site_id, source_id }, contextOf(api))
  await loseJobs()
  await later()
  await rescue()
  assert.deepEqual(
    await jobsNow(),
    ['', ' 1', ' 2', ' 3'].map((slot) => `fill:${source_id}${slot}`),
  )

  await loseJobs()
  await api.database.db`
    insert into media_windows (source_id, track, number, failures, error) values (${source_id}, 'audio', 99, 3, 'Damaged.')
  `
  await later()
  await rescue()
  assert.deepEqual(await jobsNow(), [])
})

test('what cannot be made any more fails, and says what to do', async () => {
  const { db } = api.database
  const lost = await uploaded()
  await db`delete from sources where _id = ${lost.source_id}`
  await loseJobs()
  const waiting = await api.as('admin').videos.create({ title: 'Never came' })
  await db`update videos set status = 'uploading' where _id = ${waiting._id}`
  await later()
  await rescue()
  const [one, other] = [await recordOf(lost._id), await recordOf(waiting._id)]
  assert.deepEqual([one.status, one.status_reason], ['failed', 'Its file is lost. Upload it again.'])
  assert.deepEqual(
    [other.status, other.status_reason],
    ['failed', 'Its file did not arrive. Upload it again.'],
  )
})

test('a video whose upload or import is under way is left alone', async () => {
  const { db } = api.database
  const site_id = api.channel.channel._id
  const ids = []
  for (const title of ['Upload', 'Import']) ids.push((await api.as('admin').videos.create({ title }))._id)
  const [first = '', other = ''] = ids
  await db`update videos set status = 'uploading'`
  await db`
    insert into uploads (_id, site_id, source_id, video_id, length, file_name, metadata)
    values (${'a'.repeat(24)}, ${site_id}, ${'b'.repeat(24)}, ${first}, 10, 'a.mp4', '')
  `
  await db`
    insert into video_imports (_id, site_id, source_url, video_id, title, media_source_id)
    values (${'a'.repeat(24)}, ${site_id}, 'https://films.example.com/a.mp4', ${other}, 'Import', ${'c'.repeat(24)})
  `
  await later()
  await rescue()
  for (const id of ids) assert.equal((await recordOf(id)).status, 'uploading')

  // A failed import is retried through its video.
  await db`update video_imports set status = 'failed', finished_at = now()`
  await db`update videos set status = 'failed' where _id = ${other}`
  assert.equal((await api.as('admin').videos.retry(other)).status, 'uploading')
  const [row] = await db`select status from video_imports`
  assert.equal(row?.status, 'created')
})
