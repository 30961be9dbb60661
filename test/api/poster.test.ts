import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { picturesOf } from '../../packages/server/src/films/pictures.js'
import { poster } from '../../packages/server/src/jobs/poster.job.js'
import { sweepMedia } from '../../packages/server/src/jobs/sweep-media.job.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { jobContext } from '../support/job-context.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { colourOf, nameOf } from '../support/pixels.js'
import { ask } from './ask.js'

let api: TestApi
let folder: string
before(async () => {
  api = await startOwnApi()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-images-'))
})
after(async () => {
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

const context = () => jobContext(api)

/** Creates an image that is red on the left and blue on the right. */
async function image(file: string, size = '400x200', more: readonly string[] = []): Promise<Buffer> {
  const [width = '400', height = '200'] = size.split('x')
  const half = `${Number(width) / 2}x${height}`
  const path = join(folder, file)
  await promisify(execFile)('ffmpeg', [
    ...[
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      `color=red:s=${half}`,
      '-f',
      'lavfi',
      '-i',
      `color=blue:s=${half}`,
    ],
    ...['-filter_complex', 'hstack', '-frames:v', '1', ...more, path],
  ])
  return readFile(path)
}

const newVideo = async () => (await api.as('admin').videos.create({ title: 'Film' }))._id

async function send(id: string, bytes: Uint8Array | string, options: { part?: string; key?: string } = {}) {
  const form = new FormData()
  form.set(options.part ?? 'image', new Blob([bytes as string]), 'poster.jpg')
  const { key = api.channel.keys.admin } = options
  return ask(`${api.url}/videos/${id}/poster?api_key=${key}`, 'json', { method: 'PUT', body: form })
}

interface Thumbnail {
  readonly url: string
  readonly width: number
  readonly height: number
}
const thumbnailsIn = ({ body }: Awaited<ReturnType<typeof send>>) =>
  body.response.thumbnails as unknown as readonly Thumbnail[]

async function keysUnder(prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of api.media.storage.list(prefix)) keys.push(key)
  return keys
}

test('an image becomes the poster of a video, with a film or without, in several sizes', async () => {
  const id = await newVideo()
  let shown: readonly Thumbnail[] = []
  for (const [file, more] of [
    ['a.jpg', []],
    ['a.png', []],
    ['a.webp', []],
    ['b.webp', ['-lossless', '1']],
    ['a.gif', []],
  ] as const) {
    const reply = await send(id, await image(file, '600x300', more))
    assert.equal(reply.status, 200, `${file}: ${reply.body.message}`)
    const thumbnails = thumbnailsIn(reply)
    assert.deepEqual(
      thumbnails.map(({ width, height }) => `${width}x${height}`),
      ['240x120', '480x240', '600x300'],
    )
    for (const { url } of thumbnails) {
      const picture = await fetch(url)
      assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg'])
      const [red = 0, green = 0, blue = 0] = await colourOf(url)
      assert.ok(red > 100 && blue > 100 && green < 40, `${file}: ${red} ${green} ${blue}`)
    }
    for (const { url } of shown) assert.equal((await fetch(url)).status, 404)
    shown = thumbnails
  }
  assert.deepEqual(
    (await api.as('admin').videos.get(id)).thumbnails.map(({ url }) => url),
    shown.map(({ url }) => url),
  )
  const back = await api.as('admin').videos.automaticPoster(id)
  assert.deepEqual(back.thumbnails, [])
})

/** Creates a JPEG with an EXIF orientation. */
async function turned(orientation: number): Promise<Buffer> {
  const plain = await image('turned.jpg', '400x200')
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  const exif = Buffer.from([...Buffer.from('Exif\0\0MM'), 0, 42, 0, 0, 0, 8, 0, 1, ...entry, 0, 0, 0, 0])
  const length = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  return Buffer.concat([plain.subarray(0, 2), length, exif, plain.subarray(2)])
}

test('photos with an orientation tag are rotated upright', async () => {
  const id = await newVideo()
  for (const [orientation, size, top] of [
    [6, '200x400', 'red'],
    [8, '200x400', 'blue'],
    [3, '400x200', undefined],
  ] as const) {
    const last = thumbnailsIn(await send(id, await turned(orientation))).at(-1)
    assert.equal(`${last?.width}x${last?.height}`, size)
    if (!top) continue
    const path = join(folder, 'top.jpg')
    const crop = ['-i', last?.url ?? '', '-vf', 'crop=iw:ih/4:0:0', '-update', '1', path]
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...crop])
    const data = `data:image/jpeg;base64,${(await readFile(path)).toString('base64')}`
    assert.equal(nameOf(await colourOf(data)), top)
  }
})

test('an image stays when the film is replaced, until another poster is chosen', async () => {
  const worker = openWorker(api)
  const { _id } = await uploadClip(api, await makeClip({ seconds: 1 }), 'Film')
  await untilPrepared(api, _id)
  await worker.stop()
  const { videos } = api.as('admin')
  const [source] = await api.database.db<{ site_id: string; source_id: string }[]>`
    select site_id, media_source_id as source_id from videos where _id = ${_id}
  `
  assert.ok(source)
  await poster.run(source, context())
  const drawn = thumbnailsIn(await send(_id, await image('c.png')))
  assert.equal(drawn.at(-1)?.width, 400)

  await poster.run(source, context())
  assert.deepEqual((await videos.get(_id)).thumbnails.at(-1)?.url, drawn.at(-1)?.url)
  await videos.poster(_id, { time: 0.5 })
  assert.deepEqual((await videos.get(_id)).thumbnails.at(-1)?.url, drawn.at(-1)?.url)
  await poster.run(source, context())
  assert.equal((await videos.get(_id)).thumbnails.at(-1)?.width, 320)
})

/** Returns the header of a PNG of this size, without image data. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(17)
  header.write('IHDR', 'latin1')
  header.writeUInt32BE(width, 4)
  header.writeUInt32BE(height, 8)
  header.set([8, 6, 0, 0, 0], 12)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(header))
  return Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d', 'hex'), header, checksum])
}

test('a file that is no image, or too large, is rejected and leaves nothing behind', async () => {
  const id = await newVideo()
  const jpeg = await image('d.jpg')
  const moving = join(folder, 'moving.webp')
  const film = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:d=1', '-c:v', 'libwebp_anim', moving]
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...film])
  const refusals: readonly (readonly [string, Uint8Array | string, RegExp])[] = [
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', /not an image/],
    ['HTML', '<!doctype html><script>alert(1)</script>', /not an image/],
    ['nothing', '', /not an image/],
    ['a playlist', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n', /not an image/],
    ['a film', await readFile(await makeClip({ seconds: 1 })), /not an image/],
    ['a bomb', pngOf(50_000, 50_000), /50000 × 50000 pixels. 10,000 a side and 50 million/],
    ['many pixels', pngOf(9000, 9000), /50 million/],
    ['a long side', pngOf(10_001, 100), /10,000 a side/],
    ['a dot', pngOf(4, 4), /16 a side are the least/],
    ['no pixels', pngOf(0, 0), /least/],
    ['a header only', pngOf(400, 200), /damaged/],
    ['GIF that is a script', 'GIF89a/*aaaa*/=1;alert(document.cookie)//', /pixels|damaged|not an image/],
    ['JPEG cut off', jpeg.subarray(0, 20), /not an image/],
    ['JPEG that ends early', jpeg.subarray(0, 700), /damaged|not an image/],
    ['a moving picture', await readFile(moving), /moves/],
    [
      'JPEG that lies',
      Buffer.concat([Buffer.from('ffd8ffe00004aaaaffc0000b08ffffffff0101', 'hex')]),
      /pixels/,
    ],
  ]
  const before = await keysUnder('pictures')
  for (const [what, bytes, why] of refusals) {
    const { status, body } = await send(id, bytes)
    assert.equal(status, 422, what)
    assert.match(body.message, why, what)
    assert.match(body.errors.image?.[0] ?? '', why, what)
  }
  assert.equal((await send(id, Buffer.alloc(10_000_001))).status, 413)
  assert.match(
    (await send(id, jpeg, { part: 'picture' })).body.message,
    /part named image, and not "picture"/,
  )
  assert.deepEqual(await keysUnder('pictures'), before)
  assert.deepEqual((await api.as('admin').videos.get(id)).thumbnails, [])
})

test('only the picture of an uploaded file is ever served, no other part of it', async () => {
  const id = await newVideo()
  const script = '<script>alert(document.domain)</script>'
  const jpeg = await image('e.jpg')
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), Buffer.from(script)])
  const both = Buffer.concat([
    jpeg.subarray(0, 2),
    comment,
    jpeg.subarray(2),
    Buffer.from(`PK\x03\x04${script}`),
  ])
  const reply = await send(id, both)
  assert.equal(reply.status, 200, reply.body.message)
  const [owner = ''] = /[0-9a-f]{24}\/poster/.exec(thumbnailsIn(reply)[0]?.url ?? '') ?? []
  const keys = await keysUnder(picturesOf(owner.slice(0, 24)))
  assert.equal(keys.length, thumbnailsIn(reply).length)
  for (const { url } of thumbnailsIn(reply)) {
    const picture = await fetch(url)
    assert.equal(picture.headers.get('x-content-type-options'), 'nosniff')
    assert.ok(!Buffer.from(await picture.arrayBuffer()).includes('script'))
  }
})

test('an invalid time, or one beyond the film, is rejected', async () => {
  const id = await newVideo()
  const put = (body: string | FormData, type?: string) =>
    ask(`${api.url}/videos/${id}/poster?api_key=${api.channel.keys.admin}`, 'json', {
      method: 'PUT',
      body,
      ...(type ? { headers: { 'content-type': type } } : {}),
    })
  for (const time of ['', 'soon', '-1', '1:99', '1e3', '1:2:3:4'])
    assert.equal((await put(JSON.stringify({ time }), 'application/json')).status, 422, time)
  assert.match((await put('')).body.errors.time?.[0] ?? '', /is required/)
  const form = new FormData()
  form.set('time', '1')
  assert.match((await put(form)).body.message, /this video has no file yet/)
  const xml = await put('<video><time>2</time></video>', 'text/xml')
  assert.match(xml.body.message, /this video has no file yet/)

  const worker = openWorker(api)
  const film = (await uploadClip(api, await makeClip({ seconds: 1 }), 'Film'))._id
  await untilPrepared(api, film)
  await worker.stop()
  await assert.rejects(api.as('admin').videos.poster(film, { time: 1.5 }), /the video lasts 1\.\d+ seconds/)
})

test('only the admin key may set posters, and only in its channel', async () => {
  const id = await newVideo()
  const png = await image('f.png')
  const { keys } = api.channel
  assert.equal((await send(id, png, { key: keys.read_only })).status, 403)
  assert.equal((await send(id, png, { key: keys.player })).status, 403)
  assert.equal((await send(id, png, { key: 'wrong' })).status, 401)
  assert.equal((await send(id, png, { key: api.other.keys.admin })).status, 404)
  assert.equal((await send(id, png, { key: api.other.keys.read_only })).status, 404)
  assert.equal((await send('x', png)).status, 404)
  await api.as('admin').videos.remove(id)
  assert.equal((await send(id, png)).status, 404)
})

test('pictures that no video uses any more are swept', async () => {
  const kept = thumbnailsIn(await send(await newVideo(), await image('g.png')))
  const id = await newVideo()
  const gone = thumbnailsIn(await send(id, await image('g.png')))
  await api.as('admin').videos.automaticPoster(id)
  await sweepMedia.run({}, context())
  for (const { url } of kept) assert.equal((await fetch(url)).status, 200)
  for (const { url } of gone) assert.equal((await fetch(url)).status, 404)
})
