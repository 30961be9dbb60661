import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@zoetrope/sdk'
import { sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeGround, readCredentials, startServer } from '../support/server-process.js'
import { assertStored, bytesType, callsTo, clear, codeOf, metadataOf, tusCalls } from './tus-calls.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
beforeEach(() => clear(api))
after(() => api.stop())

const { send, begin, append, offsetAt } = callsTo(() => api)

/** Sends only a part of the announced body, and keeps the connection open. */
async function fallSilent(address: string, body: Buffer, announced: number): Promise<Socket> {
  const { hostname, port } = new URL(api.url)
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {})
  const head = [
    `PATCH ${address} HTTP/1.1`,
    'Host: localhost',
    'Tus-Resumable: 1.0.0',
    `Content-Type: ${bytesType}`,
    'Upload-Offset: 0',
    `Content-Length: ${announced}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await new Promise<void>((resolve) => socket.write(body, () => resolve()))
  await delay(100)
  return socket
}

test('an upload continues after a broken connection', async () => {
  const content = randomBytes(3_000_000)
  const address = await begin(content.length, { title: 'Broken' })
  const socket = await fallSilent(address, content.subarray(0, 2_000_000), content.length)
  socket.destroy()
  let offset = 0
  for (let tries = 0; tries < 500 && offset < 2_000_000; tries += 1) {
    await delay(20)
    offset = await offsetAt(address)
  }
  assert.equal(offset, 2_000_000)
  const reply = await append(address, offset, content.subarray(offset))
  assert.equal(reply.status, 204)
  await assertStored(api, reply.headers.get('x-video-id') ?? '', content)
})

test('a silent connection does not block the next one', async () => {
  const content = randomBytes(1_000_000)
  const address = await begin(content.length)
  const socket = await fallSilent(address, Buffer.alloc(500_000), content.length)
  const answered = once(socket, 'data')
  const reply = await append(address, 0, content)
  assert.equal(reply.status, 204)
  assert.match(String(await answered), /^HTTP\/1.1 409 /)
  socket.destroy()
  await assertStored(api, reply.headers.get('x-video-id') ?? '', content)
})

test('repeating a request after a lost response creates only one video', async () => {
  const address = await begin(5)
  const id = (await append(address, 0, 'hello')).headers.get('x-video-id')
  const told = await send('HEAD', address)
  assert.deepEqual(
    ['upload-offset', 'upload-length', 'x-video-id'].map((name) => told.headers.get(name)),
    ['5', '5', id],
  )
  assert.equal(told.headers.get('upload-metadata'), metadataOf({ filename: 'A walk.mp4' }))
  assert.deepEqual(await codeOf(await append(address, 0, 'hello')), [409, 'conflict'])
  const again = await append(address, 5, '')
  assert.deepEqual([again.status, again.headers.get('x-video-id')], [204, id])
  assert.equal((await api.as('admin').videos.list()).response.length, 1)
})

for (const isPublished of [false, true])
  test(`a server that ended after the last byte is made up for: ${isPublished ? 'stored' : 'received'}`, async () => {
    const address = await begin(5)
    const [row] = await api.database.db`select source_id from uploads`
    const upload = await api.media.storage.openUpload(sourceKey(row?.source_id))
    await upload.append(Readable.from([Buffer.from('hello')]), 0)
    if (isPublished) await upload.finish()
    const replies = await Promise.all([1, 2, 3].map(() => send('HEAD', address)))
    assert.deepEqual(
      replies.map(({ status, headers }) => [status, headers.get('upload-offset')]),
      replies.map(() => [200, '5']),
    )
    await assertStored(api, replies[0]?.headers.get('x-video-id') ?? '', Buffer.from('hello'))
    assert.equal((await api.as('admin').videos.list()).response.length, 1)
  })

test('of concurrent requests with the same piece one is accepted, and bytes are never mixed', async () => {
  const size = 400_000
  const address = await begin(size + 1)
  const replies = await Promise.all(
    [...'abcdef'].map((letter) => append(address, 0, Buffer.alloc(size, letter))),
  )
  const statuses = replies.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [204, 409, 409, 409, 409, 409])
  const id = (await append(address, size, '.')).headers.get('x-video-id')
  const [source] = await api.database.db`select _id from sources where video_id = ${id}`
  let text = ''
  for await (const chunk of (await api.media.storage.read(sourceKey(source?._id)))?.body ?? []) text += chunk
  assert.match(text, /^([a-f])\1+\.$/)
})

test('sending the last piece twice at once creates one video', async () => {
  const address = await begin(3)
  await Promise.all([1, 2, 3, 4].map(() => append(address, 0, 'abc')))
  const id = (await send('HEAD', address)).headers.get('x-video-id') ?? ''
  await assertStored(api, id, Buffer.from('abc'))
  assert.equal((await api.as('admin').videos.list()).response.length, 1)
})

test('an upload continues after the server was killed', async () => {
  const ground = await makeGround()
  let server = await startServer(ground.env)
  try {
    const { keys } = await readCredentials(ground.env)
    const calls = tusCalls(() => ({ url: server.url, key: keys.admin }))
    const address = await calls.begin(10, { title: 'Killed' })
    assert.equal((await calls.append(address, 0, 'hello')).status, 204)
    server.signal('SIGKILL')
    await server.ended
    server = await startServer(ground.env)
    assert.equal(await calls.offsetAt(address), 5)
    const id = (await calls.append(address, 5, 'world')).headers.get('x-video-id')
    const reply = await fetch(`${server.url}/videos/${id}?api_key=${keys.admin}`)
    assert.equal(((await reply.json()) as { response: { title: string } }).response.title, 'Killed')
  } finally {
    await server.stop()
    await ground.remove()
  }
})

test('memory does not grow while a large piece arrives', async (context) => {
  const chunk = Buffer.alloc(65_536, 'film')
  const pieces = 3000
  const address = await begin(pieces * chunk.length)
  const before = process.memoryUsage().rss
  let most = 0
  function* body() {
    for (let count = 0; count < pieces; count += 1) {
      most = Math.max(most, process.memoryUsage().rss)
      yield chunk
    }
  }
  const { hostname, port } = new URL(api.url)
  const headers = { 'tus-resumable': '1.0.0', 'content-type': bytesType, 'upload-offset': '0' }
  const sending = request({ hostname, port, path: address, method: 'PATCH', headers })
  const answering = once(sending, 'response')
  await pipeline(Readable.from(body()), sending)
  const [reply] = await answering
  assert.deepEqual([reply.statusCode, reply.headers['upload-offset']], [204, String(pieces * chunk.length)])
  const grown = Math.round((most - before) / 1_048_576)
  context.diagnostic(`${grown} MB more`)
  assert.ok(grown < 100, `${grown} MB more`)
})

test('the SDK sends a file in pieces, through lost requests and lost answers', async () => {
  const content = randomBytes(5_000_000)
  const seen: string[] = []
  const unreliable: typeof fetch = async (address, init) => {
    seen.push(`${init?.method}`)
    if (seen.length === 4) throw new TypeError('fetch failed')
    const reply = await fetch(address, init)
    if (seen.length === 6) throw new TypeError('terminated')
    return reply
  }
  const client = createClient({ url: api.url, apiKey: api.channel.keys.admin, fetch: unreliable })
  const progress: number[] = []
  const { videoId } = await client.uploads.send(new Blob([content]), {
    fields: { title: 'Sent, “in” pieces', keywords: ['a', 'b'], enable_at: new Date('2035-01-01') },
    onProgress: (sent) => progress.push(sent),
  })
  const { title, keywords, enable_at, status } = await client.videos.get(videoId)
  assert.deepEqual(
    { title, keywords, enable_at, status },
    {
      title: 'Sent, “in” pieces',
      keywords: ['a', 'b'],
      enable_at: '2035-01-01T00:00:00.000Z',
      status: 'processing',
    },
  )
  await assertStored(api, videoId, content)
  assert.deepEqual(
    progress,
    [...progress].sort((a, b) => a - b),
  )
  assert.deepEqual([progress[0], progress.at(-1)], [0, content.length])
  assert.ok(progress.length > 3 && seen.filter((method) => method === 'HEAD').length >= 3)
})

test('the SDK continues an upload that it stopped, in another process and with a token only', async () => {
  const content = randomBytes(3_000_000)
  const file = new File([content], 'holiday.mp4')
  const { token } = await api.as('admin').upload_tokens.create({})
  const page = createClient({ url: api.url, uploadToken: token ?? '' })
  const leaving = new AbortController()
  let uploadId = ''
  const stopped = page.uploads.send(file, {
    signal: leaving.signal,
    onStart: (id) => {
      uploadId = id
    },
    onProgress: (sent) => sent > 0 && leaving.abort(new Error('Closed.')),
  })
  await assert.rejects(stopped, { message: 'Closed.' })

  const other = new File([content.subarray(1)], 'other.mp4')
  await assert.rejects(page.uploads.send(other, { uploadId }), { code: 'other_file' })
  const progress: number[] = []
  const onProgress = (sent: number) => progress.push(sent)
  const { videoId } = await page.uploads.send(file, { uploadId, onProgress })
  assert.ok((progress[0] ?? 0) > 0)
  assert.equal((await api.as('admin').videos.get(videoId)).title, 'holiday')
  await assertStored(api, videoId, content)
  await assert.rejects(page.uploads.send(file, { uploadId: 'f'.repeat(24) }), { code: 'gone' })
  await assert.rejects(page.uploads.send(file), { status: 403 })
})
