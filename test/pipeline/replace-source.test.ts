import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { poster } from '../../packages/server/src/jobs/poster.job.js'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { sweepMedia } from '../../packages/server/src/jobs/sweep-media.job.js'
import { sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { contextOf, uploadClip, uploadFilm } from '../support/media.js'

let api: TestApi
let folder: string
let notes: string
before(async () => {
  api = await startOwnApi()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-replace-'))
  notes = join(folder, 'notes.mp4')
  await writeFile(notes, 'These are only notes.')
})
after(async () => {
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

const short = () => makeClip({ seconds: 2 })
const long = () => makeClip({ seconds: 4 })

const recordOf = (id: string) => api.as('admin').videos.get(id)
const prepareSource = (source_id: string) =>
  prepare.run({ site_id: api.channel.channel._id, source_id }, contextOf(api))

/** Creates a video that plays a clip of two seconds. */
async function playing() {
  const { _id, data_sources } = await uploadClip(api, await short(), 'Film')
  const source_id = data_sources[0]?._id ?? ''
  await prepareSource(source_id)
  return { _id, source_id }
}

/** Uploads another film for the video. Returns the new source. */
async function replace(_id: string, path: string) {
  const record = await uploadFilm(api, path, { video_id: _id })
  return { record, source_id: record.data_sources.at(-1)?._id ?? '' }
}

async function masterOf(id: string): Promise<string> {
  const reply = await fetch(`${api.url}/manifest/${id}.m3u8?api_key=${api.channel.keys.player}`)
  assert.equal(reply.status, 200, await reply.clone().text())
  return reply.text()
}

/** Returns the duration of the first playlist that a master playlist lists. */
async function secondsOf(master: string): Promise<number> {
  const address = master.split('\n').find((line) => line.startsWith('http')) ?? ''
  const reply = await fetch(address)
  assert.equal(reply.status, 200)
  const lengths = [...(await reply.text()).matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) =>
    Number(seconds),
  )
  return Math.round(lengths.reduce((a, b) => a + b, 0))
}

const sourcesOf = ({ data_sources }: Awaited<ReturnType<typeof recordOf>>) =>
  data_sources.map(({ _id, active, status, duration }) => [_id, active, status, duration])

test('the record tells of the file behind the video, as it is prepared and when it cannot be', async () => {
  const made = await uploadClip(api, await short(), 'Told')
  const [source] = made.data_sources
  assert.ok(source)
  assert.deepEqual(made.video_source_types, ['hosted'])
  assert.deepEqual(sourcesOf(made), [[source._id, false, 'processing', null]])

  await prepareSource(source._id)
  assert.deepEqual(sourcesOf(await recordOf(made._id)), [[source._id, true, 'ready', 2]])
  await poster.run({ site_id: made.site_id, source_id: source._id }, contextOf(api))
  const pictured = await recordOf(made._id)
  assert.ok(pictured.thumbnails.length > 0)
  assert.deepEqual(pictured.data_sources[0]?.thumbnails, pictured.thumbnails)

  const refused = await uploadClip(api, notes, 'Notes')
  const id = refused.data_sources[0]?._id ?? ''
  await prepareSource(id)
  assert.deepEqual(sourcesOf(await recordOf(refused._id)), [[id, false, 'failed', null]])
})

test('a film goes on playing while another is prepared for it, and then gives way', async () => {
  const { _id, source_id } = await playing()
  const before = await masterOf(_id)
  assert.equal(await secondsOf(before), 2)
  const { playable_at } = await recordOf(_id)

  const { record, source_id: next } = await replace(_id, await long())
  assert.deepEqual([record._id, record.status, record.duration], [_id, 'ready', 2])
  assert.deepEqual(sourcesOf(record), [
    [source_id, true, 'ready', 2],
    [next, false, 'processing', null],
  ])
  assert.equal(await secondsOf(await masterOf(_id)), 2)

  await prepareSource(next)
  const replaced = await recordOf(_id)
  assert.deepEqual([replaced.status, replaced.duration, replaced.complete_at], ['ready', 4, null])
  assert.equal(replaced.playable_at, playable_at)
  assert.deepEqual(sourcesOf(replaced), [[next, true, 'ready', 4]])
  assert.equal(await secondsOf(await masterOf(_id)), 4)
  // Viewers who started with the old film can finish it.
  assert.equal(await secondsOf(before), 2)
})

test('a new film that cannot be prepared says so, and the one before it goes on playing', async () => {
  const { _id, source_id } = await playing()
  const { source_id: next } = await replace(_id, notes)

  await prepareSource(next)

  const record = await recordOf(_id)
  assert.equal(record.status, 'ready')
  assert.match(record.status_reason ?? '', /^The new file could not be processed.* not a video or audio file/)
  assert.deepEqual(sourcesOf(record), [
    [source_id, true, 'ready', 2],
    [next, false, 'failed', null],
  ])
  assert.equal(await secondsOf(await masterOf(_id)), 2)

  // The next upload clears the reason.
  const { source_id: better } = await replace(_id, await long())
  assert.equal((await recordOf(_id)).status_reason, null)
  await prepareSource(better)
  assert.deepEqual(sourcesOf(await recordOf(_id)), [[better, true, 'ready', 4]])
})

test('of two successive films the last one wins, in any order of preparation', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const { _id } = await playing()
    const first = await replace(_id, await makeClip({ seconds: 3 }))
    const last = await replace(_id, await long())
    for (const index of order) await prepareSource([first, last][index]?.source_id ?? '')
    assert.deepEqual(sourcesOf(await recordOf(_id)), [[last.source_id, true, 'ready', 4]])
  }
})

test('a film that came while the first was being prepared takes its place at once', async () => {
  const { _id, data_sources } = await uploadClip(api, await short(), 'First')
  const { record, source_id } = await replace(_id, await long())
  assert.deepEqual(sourcesOf(record), [[source_id, false, 'processing', null]])
  await prepareSource(data_sources[0]?._id ?? '')
  assert.equal((await recordOf(_id)).status, 'processing')
  await prepareSource(source_id)
  assert.deepEqual(sourcesOf(await recordOf(_id)), [[source_id, true, 'ready', 4]])
})

test('the pictures follow the film', async () => {
  const { _id, source_id } = await playing()
  const site_id = api.channel.channel._id
  await poster.run({ site_id, source_id }, contextOf(api))
  const before = (await recordOf(_id)).thumbnails
  const { source_id: next } = await replace(_id, await long())

  // A late poster job must not remove the pictures of the new film.
  await poster.run({ site_id, source_id }, contextOf(api))
  assert.deepEqual((await recordOf(_id)).thumbnails, before)
  await prepareSource(next)
  await poster.run({ site_id, source_id: next }, contextOf(api))
  await poster.run({ site_id, source_id }, contextOf(api))

  const { thumbnails } = await recordOf(_id)
  assert.ok(thumbnails.length > 0)
  for (const { url } of thumbnails) {
    assert.ok(url.includes(next))
    assert.equal((await fetch(url)).status, 200)
  }
  assert.equal((await fetch(before[0]?.url ?? '')).status, 404)
})

test('a film is swept up a day after it was replaced, however old it is, and no film that waits is', async () => {
  const { db } = api.database
  const { _id, source_id } = await playing()
  const { source_id: next } = await replace(_id, await long())
  const isThere = async (id: string) => (await api.media.storage.stat(sourceKey(id))) !== undefined
  const rows = async () =>
    (await db<{ _id: string }[]>`select _id from sources where video_id = ${_id}`)
      .map((row) => row._id)
      .sort()
  await db`update sources set created_at = now() - interval '3 days', updated_at = now() - interval '3 days'`
  await sweepMedia.run({}, contextOf(api))
  assert.deepEqual(await rows(), [source_id, next].sort())

  await prepareSource(next)
  await sweepMedia.run({}, contextOf(api))
  assert.deepEqual(await rows(), [source_id, next].sort())

  await db`update sources set replaced_at = replaced_at - interval '2 days'`
  await sweepMedia.run({}, contextOf(api))
  assert.deepEqual(await rows(), [next])
  assert.ok(await isThere(next))
})

test('a new film that could not be prepared is kept for a day', async () => {
  const { db } = api.database
  const { _id, source_id } = await playing()
  const { source_id: next } = await replace(_id, notes)
  await prepareSource(next)
  await sweepMedia.run({}, contextOf(api))
  assert.equal((await recordOf(_id)).data_sources.length, 2)

  await db`update sources set updated_at = now() - interval '2 days' where _id = ${next}`
  await sweepMedia.run({}, contextOf(api))

  assert.deepEqual(sourcesOf(await recordOf(_id)), [[source_id, true, 'ready', 2]])
  const [row] = await db`select replaced_at from sources where _id = ${next}`
  assert.ok(row?.replaced_at)
})
