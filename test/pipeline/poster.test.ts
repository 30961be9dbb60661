import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startOwnApi, type TestApi } from '../support/api.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { colourOf, nameOf } from '../support/pixels.js'

let api: TestApi
let worker: { stop(): Promise<void> }
let folder: string
before(async () => {
  api = await startOwnApi()
  worker = openWorker(api)
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-poster-'))
})
after(async () => {
  await worker.stop()
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Makes a film that shows each colour for a second. */
async function colours(...names: string[]): Promise<string> {
  const path = join(folder, `${names.join('-')}.mp4`)
  const inputs = names.flatMap((name) => ['-f', 'lavfi', '-i', `color=${name}:s=320x180:r=10:d=1`])
  const options = ['-filter_complex', `concat=n=${names.length}`, '-pix_fmt', 'yuv420p', '-c:v', 'libx264']
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...inputs, ...options, '-g', '50', path])
  return path
}

async function uploaded(path: string): Promise<string> {
  const { _id } = await uploadClip(api, path, 'Colours')
  await untilPrepared(api, _id)
  return _id
}

/** Waits until a video's pictures have changed. Returns the address of the largest. */
async function nextPicture(id: string, before: string | undefined): Promise<string> {
  for (let tries = 0; tries < 3000; tries += 1) {
    const url = (await api.as('admin').videos.get(id)).thumbnails.at(-1)?.url
    if (url !== undefined && url !== before) return url
    await delay(50)
  }
  throw new Error('The pictures are still the same')
}

test('the frame at a moment becomes the poster, and the automatic one comes back', async () => {
  const { videos } = api.as('admin')
  const id = await uploaded(await colours('red', 'white', 'blue'))
  const automatic = await nextPicture(id, undefined)
  assert.equal(nameOf(await colourOf(automatic)), 'red')

  await videos.poster(id, { time: 1.5 })
  const white = await nextPicture(id, automatic)
  assert.deepEqual(await colourOf(white), [255, 255, 255])
  assert.equal((await fetch(automatic)).status, 404)

  const answered = await videos.poster(id, { time: '0:00:02.500' })
  assert.equal(answered._id, id)
  const blue = await nextPicture(id, white)
  assert.equal(nameOf(await colourOf(blue)), 'blue')

  await videos.automaticPoster(id)
  assert.equal(await nextPicture(id, blue), automatic)
  assert.equal(nameOf(await colourOf(automatic)), 'red')
})

test('the moment holds for the film that replaces it, unless that ends before', async () => {
  const { videos } = api.as('admin')
  const id = await uploaded(await colours('red', 'white', 'blue'))
  const first = await nextPicture(id, undefined)
  await videos.poster(id, { time: 2.5 })
  let shown = await nextPicture(id, first)
  for (const [film, colour] of [
    [['blue', 'white', 'red'], 'red'],
    [['white', 'red'], 'white'],
  ] as const) {
    const form = new FormData()
    form.set('video_id', id)
    form.set('source', new Blob([await readFile(await colours(...film))]), 'film.mp4')
    const address = `${api.url}/uploads?api_key=${api.channel.keys.admin}`
    assert.equal((await fetch(address, { method: 'POST', body: form })).status, 201)
    const next = await nextPicture(id, shown)
    assert.equal(nameOf(await colourOf(next)), colour)
    assert.equal((await fetch(shown)).status, 404)
    shown = next
  }
})
