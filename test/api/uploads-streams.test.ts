import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { sendRaw } from '../support/raw-http.js'
import {
  assertNothing,
  clear,
  closing,
  filesOf,
  film,
  headersOf,
  opening,
  sourcesOf,
  stream,
  upload,
} from './upload-requests.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
beforeEach(() => clear(api))
after(() => api.stop())

/** Sends the headers of a request of `length` bytes and the first few of them, but never the rest. */
const announce = (key: string, length: number) =>
  sendRaw(api.url, {
    method: 'POST',
    path: '/uploads',
    headers: headersOf(key, length),
    body: Buffer.from(`${opening()}beginning`),
  })

test('a forbidden caller or a file that is too large is rejected before the body is received', async () => {
  const { admin, read_only } = api.channel.keys
  const [forbidden, unknown, tooLarge] = await Promise.all([
    announce(read_only, 1e6),
    announce('wrong', 1e6),
    announce(admin, 3_000_000_000),
  ])
  assert.deepEqual([forbidden.status, unknown.status], [403, 401])
  assert.ok([413, 422].includes(tooLarge.status), tooLarge.text)
  assert.equal(tooLarge.headers.get('connection'), 'close')
  await assertNothing(api)
})

test('a file that grows beyond the limit returns 413, even without an announced size', async () => {
  const media = api.media as { maxUploadBytes: number }
  const { maxUploadBytes } = media
  media.maxUploadBytes = 1000
  try {
    const just = await upload(api, [['source', film('x'.repeat(1000)), 'a.mp4']])
    assert.equal(just.status, 201, just.text)
    await clear(api)
    const reply = await upload(api, [['source', film('x'.repeat(1001)), 'a.mp4']])
    assert.deepEqual([reply.status, reply.body.code], [413, 'too_large'])
    assert.equal((await stream(api, 5_000_000)).status, 413)
    await assertNothing(api)
  } finally {
    media.maxUploadBytes = maxUploadBytes
  }
})

test('an interrupted upload leaves nothing behind', async () => {
  const { hostname, port } = new URL(api.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const head = headersOf(api.channel.keys.admin, 50_000_000).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /uploads HTTP/1.1\r\n${head.join('')}\r\n${opening()}`)
  for (let count = 0; count < 10; count += 1) {
    socket.write(Buffer.alloc(1_000_000, count))
    await delay(10)
  }
  socket.destroy()
  await delay(200)
  await assertNothing(api)
  assert.equal((await upload(api, [['source', film(), 'a.mp4']])).status, 201)
})

const oddNames: readonly (readonly [about: string, fileName: string, title: string])[] = [
  ['quotation marks', 'a \\"b\\".mp4', 'a "b"'],
  ['a path', '../../etc/passwd', 'passwd'],
  ['a path of Windows', 'C:\\\\films\\\\a.mp4', 'a'],
  ['an option', '-i.mp4', '-i'],
  ['a command', '$(id)|sh.mp4', '$(id)|sh'],
  ['from right to left', 'סרט.mp4', 'סרט'],
  ['turned around', 'film\u202e4pm.mov', 'film 4pm'],
  ['a kilobyte', `${'n'.repeat(1024)}.mp4`, 'n'.repeat(500)],
  ['markup', '<script>alert(1)</script >.mp4', 'script >'],
]
for (const [about, fileName, title] of oddNames)
  test(`a file with an odd name is accepted: ${about}`, async () => {
    const body = Buffer.from(`${opening(fileName)}some film${closing}`)
    const headers = [...headersOf(api.channel.keys.admin, body.length), ['Connection', 'close'] as const]
    const reply = await sendRaw(api.url, { method: 'POST', path: '/uploads', headers, body })
    assert.equal(reply.status, 201, reply.text)
    assert.equal(JSON.parse(reply.text).response.title, title)
    const [source] = await sourcesOf(api)
    assert.ok(source && (source.file_name ?? '').length <= 255)
    assert.deepEqual(await filesOf(api), [sourceKey(source._id)])
  })

test('a caller that keeps sending can read why it is refused', async () => {
  for (let times = 0; times < 5; times += 1) {
    const reply = await stream(api, 50_000_000, { key: api.channel.keys.read_only })
    assert.equal(reply.status, 403, reply.text)
  }
  await assertNothing(api)
})

test('memory does not grow while a large file arrives', async (context) => {
  await stream(api, 10_000_000)
  await api.database.db`delete from videos`
  const before = process.memoryUsage().rss
  let most = 0
  const bytes = 300_000_000
  const onChunk = () => {
    most = Math.max(most, process.memoryUsage().rss)
  }
  const reply = await stream(api, bytes, { onChunk })
  assert.equal(reply.status, 201, reply.text)
  const [source] = await sourcesOf(api)
  assert.equal(Number(source?.bytes), bytes)
  assert.equal((await api.media.storage.stat(sourceKey(source?._id ?? '')))?.size, bytes)
  const grown = Math.round((most - before) / 1_048_576)
  context.diagnostic(`${grown} MB more`)
  assert.ok(grown < 100, `${grown} MB more`)
})
