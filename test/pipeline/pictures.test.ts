import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { pictureKey, picturesOf } from '../../packages/server/src/films/pictures.js'
import { poster } from '../../packages/server/src/jobs/poster.job.js'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { storyboard } from '../../packages/server/src/jobs/storyboard.job.js'
import { sweepMedia } from '../../packages/server/src/jobs/sweep-media.job.js'
import { newUnguessableId } from '../../packages/server/src/lib/object-id.js'
import { MediaError } from '../../packages/server/src/media/media-error.js'
import { sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { type ClipWish, makeClip } from '../support/clip.js'
import { jobContext } from '../support/job-context.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'

let api: TestApi
let folder: string
before(async () => {
  api = await startOwnApi()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-pictures-'))
})
after(async () => {
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

const context = () => jobContext(api)

/** Prepares a clip for a new video or as the replacement of a video's film. Its pictures are not made yet. */
async function prepared(wish: ClipWish, of?: string) {
  const { database, media, channel } = api
  const site_id = channel.channel._id
  const video_id = of ?? (await api.as('admin').videos.create({ title: 'Clip' }))._id
  const source_id = newUnguessableId()
  const clip = createReadStream(await makeClip(wish))
  const { size, sha256 } = await media.storage.put(sourceKey(source_id), clip)
  await database.db`
    insert into sources (_id, site_id, video_id, bytes, sha256)
    values (${source_id}, ${site_id}, ${video_id}, ${size}, ${sha256})
  `
  await database.db`update videos set media_source_id = ${source_id} where _id = ${video_id}`
  await prepare.run({ site_id, source_id }, context())
  return { site_id, source_id, video_id }
}

async function pictured(wish: ClipWish, of?: string) {
  const ids = await prepared(wish, of)
  await poster.run(ids, context())
  return { ...ids, thumbnails: await thumbnailsOf(ids.video_id) }
}

const thumbnailsOf = async (id: string) => (await api.as('admin').videos.get(id)).thumbnails
const sizesOf = (pictures: Awaited<ReturnType<typeof thumbnailsOf>>) =>
  pictures.map(({ width, height }) => `${width}x${height}`)

async function filesOf(source_id: string): Promise<string[]> {
  const files: string[] = []
  for await (const { key } of api.media.storage.list(picturesOf(source_id))) files.push(key)
  return files
}

/** Returns the codec and size of a picture, as ffprobe sees them. */
async function lookAt(bytes: ArrayBuffer): Promise<string> {
  const path = join(folder, 'picture.jpg')
  await writeFile(path, Buffer.from(bytes))
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0', path],
  ])
  return stdout.trim()
}

test('a film gets pictures in several sizes, none larger than itself', async () => {
  const { source_id, thumbnails } = await pictured({ size: '640x360', seconds: 2 })

  assert.deepEqual(sizesOf(thumbnails), ['240x136', '480x270', '640x360'])
  for (const { url, width, height, aspect_ratio, name } of thumbnails) {
    assert.match(url, new RegExp(`^${api.url}/pictures/${source_id}/poster-${width}-[0-9a-f]{16}\\.jpg$`))
    assert.ok(Math.abs((aspect_ratio ?? 0) - 16 / 9) < 0.02)
    assert.equal(name, 'poster')
    const reply = await fetch(url)
    assert.equal(reply.status, 200)
    assert.equal(await lookAt(await reply.arrayBuffer()), `mjpeg,${width},${height}`)
  }
})

test('a worker makes them after an upload, and players show the largest', async () => {
  const worker = openWorker(api)
  const clip = await makeClip({ size: '640x360', seconds: 2 })
  const { _id } = await uploadClip(api, clip, 'Film')
  await untilPrepared(api, _id)
  let thumbnails = await thumbnailsOf(_id)
  for (let tries = 0; tries < 2000 && thumbnails.length === 0; tries += 1) {
    await delay(50)
    thumbnails = await thumbnailsOf(_id)
  }
  await worker.stop()

  const largest = thumbnails.at(-1)?.url ?? 'none'
  const key = api.channel.keys.player
  const embed = await (await fetch(`${api.url}/embed/${_id}?api_key=${key}`)).json()
  const page = await (await fetch(`${api.url}/embed/${_id}.html?api_key=${key}`)).text()
  assert.equal((embed as { response: { body: { poster?: string } } }).response.body.poster, largest)
  assert.ok(page.includes(`poster="${largest}"`))
})

test('upright, turned and wide-pixelled films have pictures of the shape they are shown in', async () => {
  const wishes: readonly (readonly [ClipWish, string[]])[] = [
    [{ size: '270x480', seconds: 1 }, ['240x426', '270x480']],
    [{ size: '640x360', seconds: 1, rotate: 90 }, ['240x426', '360x640']],
    [{ size: '320x240', seconds: 1, sampleAspect: '2/1' }, ['240x90', '480x180', '640x240']],
  ]
  for (const [wish, sizes] of wishes) {
    const { thumbnails } = await pictured(wish)
    assert.deepEqual(sizesOf(thumbnails), sizes)
    const last = thumbnails.at(-1)
    assert.ok(last)
    const seen = await lookAt(await (await fetch(last.url)).arrayBuffer())
    assert.equal(seen, `mjpeg,${last.width},${last.height}`)
  }
})

test('the smallest and shortest films have one too', async () => {
  const { thumbnails } = await pictured({ size: '64x36', seconds: 0.1, audio: 'none' })
  assert.deepEqual(sizesOf(thumbnails), ['64x36'])
})

test('an audio-only film has no pictures, and loses those of the film it replaces', async () => {
  const film = await pictured({ seconds: 1 })
  assert.ok(film.thumbnails.length > 0)

  const sound = await pictured({ codec: 'none', container: 'm4a', seconds: 1 }, film.video_id)

  assert.deepEqual(sound.thumbnails, [])
  assert.deepEqual(await filesOf(film.source_id), [])
  assert.equal((await api.as('admin').videos.get(film.video_id)).status, 'ready')
})

test('a new source has its own pictures, and the old ones are gone', async () => {
  const old = await pictured({ seconds: 1 })
  const wide = await pictured({ size: '480x270', seconds: 1 }, old.video_id)

  assert.deepEqual(sizesOf(wide.thumbnails), ['240x136', '480x270'])
  for (const { url } of old.thumbnails) assert.equal((await fetch(url)).status, 404)
  for (const { url } of wide.thumbnails) assert.equal((await fetch(url)).status, 200)

  // The job for the old film may run late.
  await poster.run(old, context())
  assert.deepEqual(await thumbnailsOf(old.video_id), wide.thumbnails)
  assert.deepEqual(await filesOf(old.source_id), [])
})

test('running twice changes nothing', async () => {
  const { thumbnails, ...ids } = await pictured({ seconds: 1 })
  await poster.run(ids, context())
  assert.deepEqual(await thumbnailsOf(ids.video_id), thumbnails)
  for (const { url } of thumbnails) assert.equal((await fetch(url)).status, 200)
})

test('pictures that cannot be made leave the video playable', async () => {
  const ids = await prepared({ seconds: 1 })
  const path = join(folder, 'notes.mp4')
  await writeFile(path, 'These are only notes.')
  await api.media.storage.put(sourceKey(ids.source_id), createReadStream(path))

  await assert.rejects(poster.run(ids, context()), MediaError)

  const video = await api.as('admin').videos.get(ids.video_id)
  assert.deepEqual([video.status, video.status_reason, video.thumbnails], ['ready', null, []])
})

test('work that is stopped leaves the pictures as they are', async () => {
  const { thumbnails, ...ids } = await pictured({ seconds: 1 })
  const stopped = { ...context(), signal: AbortSignal.abort() }

  await assert.rejects(poster.run(ids, stopped), { code: 'aborted' })
  await assert.rejects(storyboard.run(ids, stopped), { code: 'aborted' })

  assert.deepEqual(await thumbnailsOf(ids.video_id), thumbnails)
})

interface Embedded {
  readonly response: { readonly body: { readonly storyboard?: string; readonly status_url: string } }
}

const embedded = async (id: string) => {
  const reply = await fetch(`${api.url}/embed/${id}?api_key=${api.channel.keys.player}`)
  return ((await reply.json()) as Embedded).response.body
}

test('players find small pictures of the whole film', async () => {
  const { thumbnails, ...ids } = await pictured({ seconds: 5 })
  assert.equal((await embedded(ids.video_id)).storyboard, undefined)
  await storyboard.run(ids, context())

  const { storyboard: address = '', status_url } = await embedded(ids.video_id)
  const cues = await fetch(address)
  assert.equal(cues.headers.get('content-type'), 'text/vtt; charset=utf-8')
  const places = [...(await cues.text()).matchAll(/^(\S+\.jpg)#xywh=(\S+)$/gm)]
  assert.deepEqual(
    places.map(([, , place]) => place),
    ['0,0,160,90', '160,0,160,90', '320,0,160,90'],
  )
  // More people can see posters than the film, so a poster's address must not reveal that of the storyboard.
  const word = /-([0-9a-f]{16})\.jpg$/.exec(String(thumbnails[0]?.url))?.[1] ?? ''
  assert.ok(word !== '' && !address.includes(word))
  const sheet = await fetch(new URL(places[0]?.[1] ?? '', address))
  assert.equal(await lookAt(await sheet.arrayBuffer()), 'mjpeg,1600,900')

  const status = (await (await fetch(status_url)).json()) as { storyboard?: string }
  assert.equal(status.storyboard, address)
  const key = api.channel.keys.player
  const page = await (await fetch(`${api.url}/embed/${ids.video_id}.html?api_key=${key}`)).text()
  assert.ok(page.includes(`storyboard="${address}"`))

  const sound = await pictured({ codec: 'none', container: 'm4a', seconds: 1 }, ids.video_id)
  await storyboard.run(sound, context())
  await storyboard.run(ids, context())
  assert.equal((await embedded(ids.video_id)).storyboard, undefined)
  assert.deepEqual([await filesOf(ids.source_id), await filesOf(sound.source_id)], [[], []])
  assert.equal((await fetch(address)).status, 404)
})

test('pictures are cacheable for good, and support conditional requests', async () => {
  const { thumbnails } = await pictured({ seconds: 1 })
  const url = thumbnails[0]?.url ?? ''
  const first = await fetch(url)
  await first.arrayBuffer()
  assert.equal(first.headers.get('content-type'), 'image/jpeg')
  assert.equal(first.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(first.headers.get('x-content-type-options'), 'nosniff')

  const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
  assert.equal(again.status, 304)
  const head = await fetch(url, { method: 'HEAD' })
  assert.deepEqual([head.status, Number(head.headers.get('content-length')) > 100], [200, true])
  assert.equal((await fetch(url, { method: 'POST' })).status, 405)
})

test('nothing else can be read there', async () => {
  const { source_id, thumbnails } = await pictured({ seconds: 1 })
  const file = thumbnails[0]?.url.split('/').at(-1) ?? ''
  const paths = [
    `${source_id}/${file.replace(/[0-9a-f]{16}/, '0'.repeat(16))}`,
    `${source_id}/${file.toUpperCase()}`,
    `${source_id}/${file}.jpg`,
    `${source_id}/poster-240.jpg`,
    `${newUnguessableId()}/${file}`,
    `${source_id}/..%2f..%2fsources%2f${source_id}%2fsource`,
    `..%2fsources%2f${source_id}/source`,
    `%2e%2e/${file}`,
    `${source_id}/${file}%00`,
    `${source_id}/%252e%252e%252f${file}`,
    `${source_id}/`,
  ]
  for (const path of paths) assert.equal((await fetch(`${api.url}/pictures/${path}`)).status, 404, path)
})

test('old pictures of an unknown source are swept', async (t) => {
  const { storage } = api.media
  const known = await pictured({ seconds: 1 })
  const unknown = newUnguessableId()
  const path = join(folder, 'left.jpg')
  await writeFile(path, 'left')
  await storage.put(pictureKey(unknown, 'poster-240.jpg'), createReadStream(path))

  await sweepMedia.run({}, context())
  assert.equal((await filesOf(unknown)).length, 1)

  const later = Date.now() + 7 * 3_600_000
  t.mock.method(Date, 'now', () => later)
  await sweepMedia.run({ marked_ms: 0 }, context())
  t.mock.restoreAll()
  assert.deepEqual(await filesOf(unknown), [])
  assert.ok((await filesOf(known.source_id)).length > 0)
})
