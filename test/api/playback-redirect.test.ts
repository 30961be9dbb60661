/** DELIVERY=redirect: viewers are sent on to the store for what it has, and the server makes and sends the rest. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileKey } from '../../packages/server/src/media-segments/published.js'
import { segmentKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { until } from '../support/patience.js'
import { startS3, type TestS3 } from '../support/s3.js'

let store: TestS3
let api: TestApi
let id: string
let source_id: string
before(async () => {
  store = await startS3()
  api = await startOwnApi({ storage: store.settings(), redirects: true })
  const worker = openWorker(api)
  const { _id, data_sources } = await uploadClip(api, await makeClip({ seconds: 5 }), 'Harbour')
  id = _id
  source_id = data_sources[0]?._id ?? ''
  await untilPrepared(api, id)
  const { videos } = api.as('admin')
  await videos.update(id, { formats: { mp4_360p: true } })
  await until('the file', async () => {
    const { renditions } = await videos.get(id)
    return renditions.some(({ name, status }) => name === 'mp4_360p' && status === 'ready')
  })
  await worker.stop()
})
after(async () => {
  await api.stop()
  await store.stop()
})

const key = () => `api_key=${api.channel.keys.player}`
const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers, redirect: 'manual' })

/** The addresses in the playlist of a rendition. */
async function played(track = 'hls_240p') {
  const master = await (await fetch(`${api.url}/manifest/${id}?${key()}`)).text()
  const playlist =
    master.match(/https?:[^"\s]+index\.m3u8/g)?.find((each) => each.includes(`/${track}/`)) ?? ''
  const lines = await (await fetch(playlist)).text()
  const segment = /^[^#\s]+\/0\.m4s$/m.exec(lines)?.[0] ?? ''
  return { playlist, segment, init: segment.replace('0.m4s', 'init.mp4') }
}

const stored = async (storageKey: string): Promise<Buffer> => {
  const object = await api.media.storage.read(storageKey)
  const chunks: Buffer[] = []
  for await (const chunk of object?.body ?? []) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

test('a segment that the store has is fetched there, whole and by range', async () => {
  const { segment, init } = await played()
  const bytes = await stored(segmentKey(source_id, 'hls_240p', 0))
  const sent = await ask(segment)
  assert.equal(sent.status, 302)
  const target = new URL(sent.headers.get('location') ?? '')
  assert.equal(target.host, `127.0.0.1:${store.port}`)
  assert.ok(target.pathname.endsWith(`/objects/${segmentKey(source_id, 'hls_240p', 0)}`))
  const direct = await fetch(target)
  assert.equal(direct.status, 200, await direct.clone().text())
  assert.equal(direct.headers.get('content-type'), 'video/iso.segment')
  assert.ok(Buffer.from(await direct.arrayBuffer()).equals(bytes))
  const range = await fetch(segment, { headers: { range: 'bytes=10-19' } })
  assert.equal(range.status, 206)
  assert.ok(Buffer.from(await range.arrayBuffer()).equals(bytes.subarray(10, 20)))
  assert.equal((await fetch(init)).headers.get('content-type'), 'video/mp4')
})

test('nobody keeps a redirect longer than its signature works', async () => {
  const { segment } = await played()
  const { headers } = await ask(segment, { origin: 'https://site.example' })
  const target = new URL(headers.get('location') ?? '')
  const [, seconds] = /^public, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
  const works = Number(target.searchParams.get('X-Amz-Expires'))
  assert.ok(works <= 900 && Number(seconds) > 0 && Number(seconds) <= works / 2, `${seconds} of ${works}`)
  assert.deepEqual([headers.get('access-control-allow-origin'), headers.get('vary')], ['*', null])
})

test('a signature opens one object, and nothing else', async () => {
  const { segment } = await played()
  const target = (await ask(segment)).headers.get('location') ?? ''
  assert.equal((await fetch(target)).status, 200)
  for (const altered of [
    target.replace('/0.m4s', '/1.m4s'),
    target.replace('/hls_240p/', '/audio/'),
    target.replace('X-Amz-Expires=', 'X-Amz-Expires=9'),
    target.replace('iso.segment', 'mp4'),
  ]) {
    assert.notEqual(altered, target)
    assert.equal((await fetch(altered)).status, 403, altered)
  }
  assert.equal((await fetch(target, { method: 'DELETE' })).status, 403)
})

test('HEAD is answered here, and unknown parts do not lead to the store', async () => {
  const { segment } = await played()
  const head = await ask(segment, {}, 'HEAD')
  assert.equal(head.status, 200)
  for (const file of ['999.m4s', 'x.m4s', '..%2f0.m4s'])
    assert.equal((await ask(segment.replace('0.m4s', file))).status, 404, file)
})

test('a segment that the store has lost is made and sent by the server', async () => {
  const { segment } = await played('audio')
  const lost = segmentKey(source_id, 'audio', 0)
  const before = await stored(lost)
  await api.media.storage.remove(lost)
  const sent = await ask(segment)
  assert.equal(sent.status, 200)
  assert.equal((await sent.arrayBuffer()).byteLength, before.length)
  assert.equal((await ask(segment)).status, 302)
})

test('files and downloads are fetched from the store too', async () => {
  const embed = (await (await fetch(`${api.url}/embed/${id}?${key()}`)).json()) as {
    response: { body: { outputs: { name: string; url: string }[] } }
  }
  const file = embed.response.body.outputs.find(({ name }) => name === 'mp4')?.url ?? ''
  assert.equal((await ask(file)).status, 302)
  const bytes = Buffer.from(await (await fetch(file)).arrayBuffer())
  assert.ok(bytes.equals(await stored(fileKey(source_id, 'mp4_360p'))))
  const admin = `api_key=${api.channel.keys.admin}`
  const answer = await fetch(`${api.url}/videos/${id}/download?${admin}`)
  const url = /"(https?:[^"]+\/downloads\/[^"]+)"/.exec(await answer.text())?.[1] ?? ''
  const sent = await ask(url)
  assert.deepEqual([sent.status, sent.headers.get('cache-control')], [302, 'private, no-store'])
  const saved = await fetch(url)
  assert.equal(saved.status, 200)
  assert.match(saved.headers.get('content-disposition') ?? '', /^attachment; filename="clip\.mp4"/)
})

test('pages allow the store, and encrypted films never lead there', async () => {
  const page = await fetch(`${api.url}/embed/${id}.html?${key()}`)
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const directive of ['connect-src', 'media-src'])
    assert.match(policy, new RegExp(`${directive} [^;]*http://127\\.0\\.0\\.1:${store.port}[ ;]`))
  await api.as('admin').account.update({ hls_encryption: true })
  const { segment, init } = await played()
  for (const address of [segment, init]) assert.equal((await ask(address)).status, 200, address)
})

test('films on the disk have no address of their own', async () => {
  const disk = await startOwnApi()
  try {
    await disk.media.storage.put('segments/a', (async function* () {})())
    assert.equal(await disk.media.storage.direct('segments/a', { seconds: 9, type: 'a/b' }), undefined)
  } finally {
    await disk.stop()
  }
})
