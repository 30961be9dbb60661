import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { newId } from '../../packages/server/src/lib/object-id.js'
import { sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { readBytes, readMaster, readPlaylist } from '../support/hls.js'
import { jobContext } from '../support/job-context.js'
import { until } from '../support/patience.js'
import { settingsOf, startS3, type TestS3 } from '../support/s3.js'
import { type FaultProxy, startFaultProxy } from '../support/s3-faults.js'

const cacheBytes = 8_400_000
/** The beginning of the film and its index were read, so ffmpeg or ffprobe is at work. */
const begunBytes = 7_000_000

let s3: TestS3
let store: FaultProxy
let api: TestApi
let folder: string
let film: Buffer
before(async () => {
  s3 = await startS3()
  store = await startFaultProxy(s3.port, { rate: 0, random: () => 1 })
  api = await startOwnApi({ storage: settingsOf(store.port), cachedFilmBytes: cacheBytes })
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-large-'))
  film = await makeLargeFilm()
})
after(async () => {
  await api.stop()
  await store.stop()
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Four seconds of noise again and again, which need no encoder. The index is at the end. */
async function makeLargeFilm(): Promise<Buffer> {
  const noise = ['-vf', 'noise=alls=90:allf=t', '-qp', '14']
  const clip = await makeClip({ size: '640x360', seconds: 4, more: noise })
  const path = join(folder, 'large.mp4')
  const loop = ['-v', 'error', '-stream_loop', '14', '-i', clip, '-c', 'copy', path]
  await promisify(execFile)('ffmpeg', loop)
  return readFile(path)
}

/** Creates a video with the film as its source, as an upload leaves it. */
async function uploaded() {
  const { database, channel } = api
  const site_id = channel.channel._id
  const { _id: video_id } = await api.as('admin').videos.create({ title: 'Larger than the cache' })
  const source_id = newId()
  const key = `zoetrope/objects/${sourceKey(source_id)}`
  s3.store.objects.set(key, { bytes: film, metadata: {}, etag: source_id, at: new Date() })
  await database.db`
    insert into sources (_id, site_id, video_id, bytes, sha256)
    values (${source_id}, ${site_id}, ${video_id}, ${film.length}, ${'0'.repeat(64)})
  `
  await database.db`update videos set status = 'processing', media_source_id = ${source_id} where _id = ${video_id}`
  return { site_id, source_id, video_id }
}

const statusOf = async (id: string) => {
  const { status, status_reason } = await api.as('admin').videos.get(id)
  return { status, status_reason }
}

test('a film far larger than the cache is playable when a small part of it was fetched', async () => {
  const size = film.length
  assert.ok(size > 6 * cacheBytes, `The film has only ${size} bytes`)
  const { site_id, source_id, video_id } = await uploaded()
  await prepare.run({ site_id, source_id }, jobContext(api))
  assert.deepEqual(await statusOf(video_id), { status: 'ready', status_reason: null })
  const fetched = s3.sentOf(source_id)
  assert.ok(fetched < size / 3, `${fetched} of ${size} bytes were fetched`)

  const master = await readMaster(`${api.url}/manifest/${video_id}.m3u8?api_key=${api.channel.keys.player}`)
  const { segments } = await readPlaylist(master.variants[0]?.address ?? '')
  const before = s3.sentOf(source_id)
  assert.ok((await readBytes(segments.at(-2)?.address ?? '')).length > 100)
  const more = s3.sentOf(source_id) - before
  assert.ok(more < size / 4, `${more} of ${size} bytes were fetched for a segment near the end`)
})

test('a store that fails while ffmpeg reads is no fault of the film', async () => {
  const { site_id, source_id, video_id } = await uploaded()
  const preparing = prepare.run({ site_id, source_id }, jobContext(api))
  const failed = assert.rejects(preparing, { reason: 'away' })
  await until('The beginning', async () => s3.sentOf(source_id) > begunBytes)
  store.shut(true)
  await failed
  assert.deepEqual(await statusOf(video_id), { status: 'processing', status_reason: null })
  store.shut(false)
  await prepare.run({ site_id, source_id }, jobContext(api))
  assert.deepEqual(await statusOf(video_id), { status: 'ready', status_reason: null })
})
