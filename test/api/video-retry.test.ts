import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { contextOf, openWorker, untilPrepared, uploadClip, uploadFilm } from '../support/media.js'
import { ask } from './ask.js'

let api: TestApi
let folder: string
let notes: string
before(async () => {
  api = await startOwnApi()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-retry-'))
  notes = join(folder, 'notes.mp4')
  await writeFile(notes, 'These are only notes.')
})
after(async () => {
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

const prepareSource = (source_id: string) =>
  prepare.run({ site_id: api.channel.channel._id, source_id }, contextOf(api))

const waitingFor = async (source_id: string) =>
  (
    await api.database.db<{ task: string; attempts: number }[]>`
      select task_identifier as task, attempts from graphile_worker.jobs where key like ${`%:${source_id}`} order by 1
    `
  ).map(({ task, attempts }) => `${task} ${attempts}`)

/** Uploads a valid film, and makes the encoding of its beginning fail. */
async function failed() {
  const video = await uploadClip(api, await makeClip({ seconds: 2 }), 'Film')
  const source_id = video.data_sources[0]?._id ?? ''
  await api.database.db`
    insert into media_windows (source_id, track, number, failures, error)
    values (${source_id}, 'hls_240p', 0, 3, 'The disk was full.')
  `
  await prepareSource(source_id)
  const { status, status_reason } = await api.as('admin').videos.get(video._id)
  assert.deepEqual([status, status_reason], ['failed', 'The disk was full.'])
  return { _id: video._id, source_id }
}

for (const format of formats)
  test(`a film that failed is prepared again, and plays (${format})`, async () => {
    const { _id, source_id } = await failed()

    const record = await api.as('admin', format).videos.retry(_id)

    assert.deepEqual([record.status, record.status_reason], ['processing', null])
    assert.equal(record.data_sources[0]?.status, 'processing')
    assert.deepEqual(await waitingFor(source_id), ['prepare 0'])
    await prepareSource(source_id)
    assert.equal((await api.as('admin').videos.get(_id)).status, 'ready')
  })

test('a second retry changes nothing, and a waiting job starts at once', async () => {
  const { _id, source_id } = await failed()
  for (let times = 0; times < 3; times += 1) {
    assert.equal((await api.as('admin').videos.retry(_id)).status, 'processing')
    assert.deepEqual(await waitingFor(source_id), ['prepare 0'])
  }
  const worker = openWorker(api)
  assert.equal((await untilPrepared(api, _id)).status, 'ready')
  await worker.stop()
})

test('a new film that failed is tried again, while the one before it plays', async () => {
  const { _id, source_id } = await failed()
  await api.as('admin').videos.retry(_id)
  await prepareSource(source_id)
  const next = (await uploadFilm(api, notes, { video_id: _id })).data_sources.at(-1)?._id ?? ''
  await prepareSource(next)

  const record = await api.as('admin').videos.retry(_id)

  assert.deepEqual([record.status, record.status_reason], ['ready', null])
  assert.deepEqual(
    record.data_sources.map(({ status, active }) => [status, active]),
    [
      ['ready', true],
      ['processing', false],
    ],
  )
  assert.deepEqual(await waitingFor(next), ['prepare 0'])
})

test('the parts of a film that could not be made are tried again', async () => {
  const { _id, source_id } = await failed()
  await api.as('admin').videos.retry(_id)
  await prepareSource(source_id)
  const { db } = api.database
  await db`
    update media_windows set made_at = null, bytes = null, failures = 3 where source_id = ${source_id} and track = 'audio'
  `
  assert.equal((await api.as('admin').videos.retry(_id)).status, 'ready')
  const [left] = await db`select from media_windows where source_id = ${source_id} and failures >= 3`
  assert.equal(left, undefined)
  assert.ok((await waitingFor(source_id)).includes('fill 0'))
})

test('a retry without anything to do returns 422 and says what to do', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'No film' })
  await assert.rejects(api.as('admin').videos.retry(_id), { status: 422, message: /no file yet. Upload one/ })

  const whole = await failed()
  await api.as('admin').videos.retry(whole._id)
  await prepareSource(whole.source_id)
  await api.database.db`update videos set complete_at = now() where _id = ${whole._id}`
  await assert.rejects(api.as('admin').videos.retry(whole._id), {
    status: 422,
    message: /nothing to try again/,
  })

  await api.as('admin').videos.remove(whole._id)
  const address = `${api.url}/videos/${whole._id}/retry?api_key=${api.channel.keys.admin}`
  assert.equal((await ask(address, 'json', { method: 'POST' })).status, 404)
})
