import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { preview } from '../../packages/server/src/jobs/preview.job.js'
import { readImageFacts, uprightSize } from '../../packages/server/src/media/image-facts.js'
import { startOwnApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { jobContext } from '../support/job-context.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'

/** Returns the size and the number of frames of an animated WebP. */
function lookInto(bytes: Buffer) {
  assert.equal(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16), 'RIFFWEBPVP8X')
  let [frames, milliseconds] = [0, 0]
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4)
    if (bytes.toString('latin1', at, at + 4) === 'ANMF') {
      frames += 1
      milliseconds += bytes.readUIntLE(at + 8 + 12, 3)
    }
    at += 8 + length + (length % 2)
  }
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1, frames, milliseconds }
}

test('a film gets a small picture that moves, which goes with its source', async (t) => {
  const api = await startOwnApi()
  const worker = openWorker(api)
  t.after(async () => {
    await worker.stop()
    await api.stop()
  })
  const previewOf = async (id: string, before: string | null = null) => {
    for (let tries = 0; tries < 4000; tries += 1) {
      const { preview_url } = await api.as('admin').videos.get(id)
      if (preview_url !== null && preview_url !== before) return preview_url
      await delay(50)
    }
    throw new Error('There is no preview')
  }

  const { _id } = await uploadClip(api, await makeClip({ size: '640x360', seconds: 8 }), 'Film')
  await untilPrepared(api, _id)
  const url = await previewOf(_id)
  assert.match(url, /\/pictures\/[0-9a-f]{24}\/preview-[0-9a-f]{16}\.webp$/)
  const reply = await fetch(url)
  assert.equal(reply.headers.get('content-type'), 'image/webp')
  const bytes = Buffer.from(await reply.arrayBuffer())
  assert.ok(bytes.length < 400_000, `${bytes.length} bytes`)
  const { width, height, frames, milliseconds } = lookInto(bytes)
  assert.deepEqual([width, height], [320, 180])
  assert.ok(frames >= 25 && frames <= 40, `${frames} pictures`)
  assert.ok(milliseconds > 3000 && milliseconds < 4000, `${milliseconds} ms`)

  const upright = await makeClip({ size: '180x320', seconds: 1 })
  const form = new FormData()
  form.set('video_id', _id)
  form.set('source', new Blob([await readFile(upright)]), 'film.mp4')
  const address = `${api.url}/uploads?api_key=${api.channel.keys.admin}`
  assert.equal((await fetch(address, { method: 'POST', body: form })).status, 201)
  const next = await previewOf(_id, url)
  const other = lookInto(Buffer.from(await (await fetch(next)).arrayBuffer()))
  assert.deepEqual([other.width, other.height], [180, 320])
  for (let tries = 0; tries < 2000 && (await fetch(url)).status !== 404; tries += 1) await delay(50)
  assert.equal((await fetch(url)).status, 404)

  // The job for the old source may run late, or twice.
  const source_id = url.split('/').at(-2) ?? ''
  await preview.run({ site_id: api.channel.channel._id, source_id }, jobContext(api))
  assert.equal((await api.as('admin').videos.get(_id)).preview_url, next)
  assert.equal((await fetch(url)).status, 404)
})

test('what is only heard has none', async (t) => {
  const api = await startOwnApi()
  const worker = openWorker(api)
  t.after(async () => {
    await worker.stop()
    await api.stop()
  })
  const clip = await makeClip({ codec: 'none', container: 'm4a', seconds: 1 })
  const { _id } = await uploadClip(api, clip, 'Sound')
  await untilPrepared(api, _id)
  for (let tries = 0; tries < 40; tries += 1) {
    const [row] = await api.database.db<{ count: number }[]>`
      select count(*)::integer as count from graphile_worker.jobs where task_identifier = 'preview'
    `
    if (row?.count === 0) break
    await delay(50)
  }
  assert.equal((await api.as('admin').videos.get(_id)).preview_url, null)
  await assert.rejects(api.as('admin').videos.poster(_id, { time: 0 }), {
    status: 422,
    message: /this video is only heard/,
  })
})

test('a picture of any moment and a few seconds that move are drawn for those who may watch', async (t) => {
  const api = await startOwnApi()
  const worker = openWorker(api)
  t.after(async () => {
    await worker.stop()
    await api.stop()
  })
  const { _id } = await uploadClip(api, await makeClip({ size: '640x360', seconds: 8 }), 'Film')
  await untilPrepared(api, _id)
  const { admin, player } = api.channel.keys
  const ask = (path: string, key = player, headers = {}) =>
    fetch(`${api.url}/${path}${path.includes('?') ? '&' : '?'}api_key=${key}`, { headers })
  const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer())

  const still = await ask(`thumbnail/${_id}.jpg?time=3.5&width=300`)
  assert.deepEqual(
    [still.status, still.headers.get('content-type'), still.headers.get('cache-control')],
    [200, 'image/jpeg', 'public, max-age=3600'],
  )
  const picture = await bytesOf(still)
  assert.deepEqual(uprightSize(readImageFacts(picture)), { width: 320, height: 180 })
  assert.notDeepEqual(await bytesOf(await ask(`thumbnail/${_id}.jpg?time=6&width=300`)), picture)
  const known = await ask(`thumbnail/${_id}.jpg?time=3.5&width=310`, player, {
    'if-none-match': still.headers.get('etag') ?? '',
  })
  assert.equal(known.status, 304)
  // The very end still has a picture, and none is larger than the film.
  const last = await bytesOf(await ask(`thumbnail/${_id}.jpg?time=8&width=1920`))
  assert.deepEqual(uprightSize(readImageFacts(last)), { width: 640, height: 360 })

  const moving = lookInto(await bytesOf(await ask(`animated/${_id}.webp?start=1&end=3&width=240&fps=5`)))
  assert.deepEqual([moving.width, moving.height, moving.frames], [240, 136, 10])
  const gif = await ask(`animated/${_id}.gif?start=7`)
  assert.deepEqual([gif.status, gif.headers.get('content-type')], [200, 'image/gif'])
  assert.equal((await bytesOf(gif)).toString('latin1', 0, 6), 'GIF89a')

  for (const [path, message] of [
    [`thumbnail/${_id}.jpg?time=9`, 'time must be a number from 0 to 8.'],
    [`thumbnail/${_id}.jpg?time=-1`, 'time must be a number from 0 to 8.'],
    [`thumbnail/${_id}.jpg?width=5000`, 'width must be a number from 16 to 1920.'],
    [`animated/${_id}.webp?start=4&end=2`, 'end must be after start.'],
    [`animated/${_id}.webp?fps=60`, 'fps must be a number from 1 to 15.'],
    [`animated/${_id}.gif?width=1280`, 'width must be a number from 16 to 640.'],
  ] as const) {
    const reply = await ask(path)
    const { message: said } = (await reply.json()) as { message: string }
    assert.deepEqual([reply.status, said], [422, message], path)
  }
  for (const path of [`thumbnail/${_id}.png`, `animated/${_id}.mp4`, 'thumbnail/nothing.jpg'])
    assert.equal((await ask(path)).status, 404, path)
  assert.equal((await fetch(`${api.url}/thumbnail/${_id}.jpg`)).status, 401)

  await api.as('admin').videos.update(_id, { subscription_required: true })
  for (const path of [`thumbnail/${_id}.jpg`, `animated/${_id}.webp`]) {
    assert.equal((await ask(path)).status, 403, path)
    const allowed = await ask(path, admin)
    assert.deepEqual([allowed.status, allowed.headers.get('cache-control')], [200, 'private, max-age=60'])
  }
})
