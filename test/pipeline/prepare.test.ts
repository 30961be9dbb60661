import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { endWaiting, explainWaiting } from '../../packages/server/src/films/waiting.js'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { newId } from '../../packages/server/src/lib/object-id.js'
import { segmentCount } from '../../packages/server/src/media/grid.js'
import { openFfmpeg } from '../../packages/server/src/media/open-ffmpeg.js'
import { readSource } from '../../packages/server/src/media-segments/find-source.js'
import { segmentKey, sourceKey, webmTrack } from '../../packages/server/src/media-segments/segment-keys.js'
import { ensureWindow, readSegment } from '../../packages/server/src/media-segments/segments.js'
import type { Source } from '../../packages/server/src/media-segments/source-plan.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { jobContext } from '../support/job-context.js'
import { openWorker } from '../support/media.js'
import { seededRandom, shuffled } from '../support/random.js'

/** A film that is encoded within moments. */
const small = { size: '160x90', rate: '15' } as const

let api: TestApi
let folder: string
before(async () => {
  api = await startOwnApi()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-pipeline-'))
})
after(async () => {
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Creates a video with this file as its source, as an upload leaves it. */
async function uploaded(path: string) {
  const { database, media, channel } = api
  const site_id = channel.channel._id
  const { _id: video_id } = await api.as('admin').videos.create({ title: 'Clip' })
  const source_id = newId()
  const { size, sha256 } = await media.storage.put(sourceKey(source_id), createReadStream(path))
  await database.db`
    insert into sources (_id, site_id, video_id, bytes, sha256)
    values (${source_id}, ${site_id}, ${video_id}, ${size}, ${sha256})
  `
  await database.db`update videos set status = 'processing', media_source_id = ${source_id} where _id = ${video_id}`
  return { site_id, source_id, video_id }
}

const context = () => jobContext(api)

async function bytesOf(source: Source, track: string, part: 'init' | number): Promise<Buffer> {
  const object = await readSegment(api.media, source, track, part)
  assert.ok(object, `${track} ${part}`)
  const chunks: Buffer[] = []
  for await (const chunk of object.body) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function packetsIn(path: string): Promise<number> {
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...['-v', 'error', '-count_packets', '-select_streams', '0'],
    ...['-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0', path],
  ])
  return Number(stdout)
}

test('an upload is looked at, planned and playable, and its record says so', async () => {
  const { site_id, source_id, video_id } = await uploaded(await makeClip({ ...small, seconds: 5 }))

  await prepare.run({ site_id, source_id }, context())
  await prepare.run({ site_id, source_id }, context())

  const video = await api.as('admin').videos.get(video_id)
  assert.deepEqual([video.status, video.status_reason, video.duration], ['ready', null, 5])
  assert.ok(video.playable_at)
  const source = await readSource(api.database.db, site_id, source_id)
  assert.ok(source && source.plan.rungs.length > 0)
})

test('every segment of every rendition can be had, in any order, and joined they are the whole film', async () => {
  const { site_id, source_id } = await uploaded(await makeClip({ ...small, seconds: 6 }))
  await prepare.run({ site_id, source_id }, context())
  const source = await readSource(api.database.db, site_id, source_id)
  assert.ok(source)
  const { grid, rungs } = source.plan
  const numbers = Array.from({ length: segmentCount(grid) }, (_, number) => number)

  for (const { name } of rungs) {
    const mixed = shuffled(numbers, seededRandom(name))
    const parts = new Map<number, Buffer>()
    await Promise.all(mixed.map(async (number) => parts.set(number, await bytesOf(source, name, number))))
    const path = join(folder, `${name}.mp4`)
    const ordered = numbers.map((number) => parts.get(number) ?? Buffer.alloc(0))
    await writeFile(path, Buffer.concat([await bytesOf(source, name, 'init'), ...ordered]))
    assert.equal(await packetsIn(path), grid.borders.at(-1), name)
  }
  if (source.plan.audio) assert.ok((await bytesOf(source, 'audio', 0)).length > 0)
  assert.equal(await readSegment(api.media, source, 'hls_9999p', 0), undefined)
  assert.equal(await readSegment(api.media, source, rungs[0]?.name ?? '', 10_000), undefined)
})

test('the pictures of WebM are windows like others, and in no playlist', async () => {
  const { site_id, source_id } = await uploaded(await makeClip({ ...small, seconds: 4, audio: 'none' }))
  await prepare.run({ site_id, source_id }, context())
  const source = await readSource(api.database.db, site_id, source_id)
  assert.ok(source)
  const { grid, windows } = source.plan

  for (const number of windows.keys()) await ensureWindow(api.media, source, webmTrack, number, { nice: 0 })

  const parts = ['init' as const, ...Array.from({ length: segmentCount(grid) }, (_, number) => number)]
  const chunks: Buffer[] = []
  for (const part of parts) {
    const object = await api.media.storage.read(segmentKey(source_id, webmTrack, part))
    for await (const chunk of object?.body ?? []) chunks.push(chunk as Buffer)
  }
  const path = join(folder, 'webm.mp4')
  await writeFile(path, Buffer.concat(chunks))
  assert.equal(await packetsIn(path), grid.borders.at(-1))
  assert.equal(await readSegment(api.media, source, webmTrack, 0), undefined)
})

test('a file that is no film fails at once, with a reason for a person', async () => {
  const path = join(folder, 'notes.mp4')
  await writeFile(path, 'These are only notes.')
  const { site_id, source_id, video_id } = await uploaded(path)

  await prepare.run({ site_id, source_id }, context())

  const video = await api.as('admin').videos.get(video_id)
  assert.equal(video.status, 'failed')
  assert.match(video.status_reason ?? '', /not a video or audio file/)
})

test('without ffmpeg an upload waits and says why, and goes on when there is one', async () => {
  const { db } = api.database
  const { site_id, source_id, video_id } = await uploaded(await makeClip({ ...small, seconds: 2 }))
  const reasonNow = async () => (await api.as('admin').videos.get(video_id)).status_reason

  // A worker on another machine has ffmpeg.
  await db`insert into workers (_id, runners, makes_windows) values ('other', '{}', true)`
  await explainWaiting(db, 'Install ffmpeg.')
  assert.equal(await reasonNow(), null)
  await db`delete from workers where _id = 'other'`
  await explainWaiting(db, 'Install ffmpeg.')
  assert.equal(await reasonNow(), 'Install ffmpeg.')
  await endWaiting(db)
  assert.equal(await reasonNow(), null)

  const without = { ...api.media, ffmpeg: await openFfmpeg({ ffmpegPath: '/nowhere/ffmpeg' }) }
  const preparing = prepare.run({ site_id, source_id }, { ...context(), media: without })
  await assert.rejects(preparing, /\/nowhere\/ffmpeg is not there/)
  const waiting = await api.as('admin').videos.get(video_id)
  assert.deepEqual([waiting.status, waiting.status_reason], ['processing', without.ffmpeg.problem()])

  await prepare.run({ site_id, source_id }, context())
  assert.equal((await api.as('admin').videos.get(video_id)).status, 'ready')
})

test('a worker makes the rest by itself, tells how far it is, and ends', async () => {
  const worker = openWorker(api)
  const { site_id, source_id, video_id } = await uploaded(await makeClip({ ...small, seconds: 6 }))
  await prepare.run({ site_id, source_id }, context())

  let video = await api.as('admin').videos.get(video_id)
  for (let tries = 0; tries < 12_000 && video.complete_at === null; tries += 1) {
    await delay(100)
    video = await api.as('admin').videos.get(video_id)
  }
  await worker.stop()

  assert.ok(video.complete_at)
  assert.ok(video.renditions.length > 0)
  for (const { status, progress, filesize } of video.renditions) {
    assert.deepEqual([status, progress], ['ready', 100])
    assert.ok((filesize ?? 0) > 0)
  }
})

test('a piece whose file is lost is made again', async () => {
  const { site_id, source_id } = await uploaded(await makeClip({ ...small, seconds: 3 }))
  await prepare.run({ site_id, source_id }, context())
  const source = await readSource(api.database.db, site_id, source_id)
  assert.ok(source)
  const track = source.plan.rungs[0]?.name ?? ''
  const before = await bytesOf(source, track, 0)

  await api.media.storage.removeUnder(`segments/${source_id}/${track}`)

  assert.equal((await bytesOf(source, track, 0)).length, before.length)
})

test('a film whose beginning cannot be made fails with the reason, instead of being prepared forever', async () => {
  const { site_id, source_id, video_id } = await uploaded(await makeClip({ ...small, seconds: 2 }))
  await api.database.db`
    insert into media_windows (source_id, track, number, failures, error)
    values (${source_id}, 'hls_240p', 0, 3, 'The picture is damaged.')
  `

  await prepare.run({ site_id, source_id }, context())

  const video = await api.as('admin').videos.get(video_id)
  assert.deepEqual([video.status, video.status_reason], ['failed', 'The picture is damaged.'])
})
