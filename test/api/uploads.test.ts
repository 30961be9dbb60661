import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sourceKey } from '../../packages/server/src/media-segments/segments.js'
import { formats, startApi, type TestApi } from '../support/api.js'
import { sendRaw } from '../support/raw-http.js'
import { ask, type Reply } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
beforeEach(async () => {
  await api.database.db`delete from videos`
  await api.media.storage.removeUnder('sources')
})
after(() => api.stop())

type Part = readonly [name: string, value: string | Blob, fileName?: string]

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData()
  for (const [name, value, fileName] of parts)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, fileName)
  return form
}

const film = (text = 'some film') => new Blob([text])
const send = (
  parts: readonly Part[],
  path = '/uploads',
  headers: Record<string, string> = {},
): Promise<Reply> =>
  ask(`${api.url}${path}`, 'json', {
    method: 'POST',
    headers: { 'x-api-key': api.channel.keys.admin, ...headers },
    body: formOf(parts),
  })

interface SourceRow {
  readonly _id: string
  readonly video_id: string
  readonly file_name: string | null
  readonly bytes: string
  readonly sha256: string
}
const sources = () =>
  api.database.db<
    SourceRow[]
  >`select _id, video_id, file_name, bytes, sha256 from sources order by created_at, _id`

async function filesInStorage(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of api.media.storage.list('')) keys.push(key)
  return keys
}

/** No video, no row and no file came of it. */
async function assertNothing(): Promise<void> {
  assert.deepEqual(
    await api
      .as('admin')
      .videos.list()
      .then(({ response }) => response),
    [],
  )
  assert.deepEqual([...(await sources())], [])
  assert.deepEqual(await filesInStorage(), [])
}

async function contentOf(source_id: string): Promise<string> {
  const opened = await api.media.storage.read(sourceKey(source_id))
  let text = ''
  for await (const chunk of opened?.body ?? []) text += chunk
  return text
}

for (const format of formats)
  test(`a file becomes a new video that is being processed, in ${format}`, async () => {
    const reply = await send(
      [
        ['video[title]', 'A walk'],
        ['source', film(), 'walk.mp4'],
        ['video[description]', 'Through the park'],
        ['video[keywords][]', 'park'],
      ],
      `/uploads.${format}`,
    )
    assert.equal(reply.status, 201, reply.text)
    assert.match(reply.headers.get('content-type') ?? '', new RegExp(format))
    const { _id, title, friendly_title, description, keywords, status } = reply.body.response
    assert.deepEqual(
      { title, friendly_title, description, keywords, status },
      {
        title: 'A walk',
        friendly_title: 'a-walk',
        description: 'Through the park',
        keywords: ['park'],
        status: 'processing',
      },
    )
    const [source, ...others] = await sources()
    assert.ok(source)
    assert.deepEqual(others, [])
    const sha256 = createHash('sha256').update('some film').digest('hex')
    assert.deepEqual(source, { _id: source._id, video_id: _id, file_name: 'walk.mp4', bytes: '9', sha256 })
    assert.equal(await contentOf(source._id), 'some film')
    const [job] = await api.database.db`
      select payload from graphile_worker._private_jobs where payload::jsonb = ${JSON.stringify({
        site_id: api.channel.channel._id,
        source_id: source._id,
      })}::text::jsonb
    `
    assert.ok(job)
    assert.equal((await api.as('admin').videos.get(String(_id))).status, 'processing')
  })

test('without a title the video is called like its file, and the part may be named file', async () => {
  const reply = await send([['file', film(), 'My holiday.2024.mov']])
  assert.deepEqual([reply.status, reply.body.response.title], [201, 'My holiday.2024'])
})

test('a schedule that comes with the file takes effect', async () => {
  const reply = await send([
    ['source', film(), 'a.mp4'],
    ['video[enable_at]', '2100-01-01T00:00:00Z'],
  ])
  assert.deepEqual([reply.status, reply.body.response.active], [201, false])
})

for (const order of ['before', 'after'] as const)
  test(`the source of a video is replaced, its id stays: video_id ${order} the file`, async () => {
    const video = await api.as('admin').videos.create({ title: 'Kept', description: 'As it was' })
    for (const text of ['first', 'second']) {
      const parts: Part[] = [['source', film(text), `${text}.mp4`]]
      parts.splice(order === 'before' ? 0 : 1, 0, ['video_id', video._id])
      const reply = await send(parts)
      assert.equal(reply.status, 201, reply.text)
      const { _id, title, description, status } = reply.body.response
      assert.deepEqual([_id, title, description, status], [video._id, 'Kept', 'As it was', 'processing'])
    }
    const [row] = await api.database.db`select media_source_id from videos where _id = ${video._id}`
    assert.equal(await contentOf(String(row?.media_source_id)), 'second')
    assert.equal((await api.as('admin').videos.list()).response.length, 1)
  })

test('a video that is not there is 404 and leaves no file, wherever its id stands', async () => {
  const foreign = await api.other.as('admin').videos.create({ title: 'Of another channel' })
  const removed = await api.as('admin').videos.create({ title: 'Removed' })
  await api.as('admin').videos.remove(removed._id)
  const file: Part = ['source', film(), 'a.mp4']
  for (const id of [foreign._id, removed._id, 'f'.repeat(24), '../x', "' or true"])
    for (const parts of [
      [['video_id', id] as Part, file],
      [file, ['video_id', id] as Part],
    ]) {
      const reply = await send(parts)
      assert.deepEqual([reply.status, reply.body.message], [404, 'Video not found'])
    }
  await assertNothing()
})

const refused: readonly (readonly [about: string, parts: readonly Part[], message: RegExp])[] = [
  ['no file', [['video[title]', 'x']], /no file/],
  ['an empty file', [['source', film(''), 'a.mp4']], /empty/],
  ['two files', [['source', film(), 'a.mp4'], ['file', film(), 'b.mp4']], /one file/],
  ['two files of the same name', [['source', film(), 'a.mp4'], ['source', film(), 'a.mp4']], /one file/],
  ['a file in another part', [['picture', film(), 'a.png']], /named source/],
  ['a wrong field before the file', [['video[active]', 'perhaps'], ['source', film(), 'a.mp4']], /active/],
  ['a wrong field after the file', [['source', film(), 'a.mp4'], ['video[active]', 'perhaps']], /active/],
  ['a video that exists and a new one', [['video_id', 'f'.repeat(24)], ['video[title]', 'x'], ['source', film(), 'a.mp4']], /not both/],
] // biome-ignore format: a table
for (const [about, parts, message] of refused)
  test(`refused with nothing left behind: ${about}`, async () => {
    const reply = await send(parts)
    assert.equal(reply.status, 422, reply.text)
    assert.match(reply.body.message, message)
    await assertNothing()
  })

const notMultipart = [
  ['application/json', '{"source":"x"}'],
  ['video/mp4', 'some film'],
  ['multipart/form-data', 'no boundary'],
  [
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="source"; filename="a"\r\n\r\nhalf',
  ],
] as const
for (const [type, body] of notMultipart)
  test(`a body that cannot be read is 422: ${type}`, async () => {
    const headers = { 'x-api-key': api.channel.keys.admin, 'content-type': type }
    const reply = await ask(`${api.url}/uploads`, 'json', { method: 'POST', headers, body })
    assert.equal(reply.status, 422, reply.text)
    await assertNothing()
  })

test('only the admin key uploads, and it is not looked for in the body', async () => {
  const parts: Part[] = [
    ['api_key', api.channel.keys.admin],
    ['source', film(), 'a.mp4'],
  ]
  const post = (credential: string) =>
    ask(`${api.url}/uploads${credential}`, 'json', { method: 'POST', body: formOf(parts) })
  const { access_token } = await api.channel.consumer()
  const statuses = []
  for (const credential of [
    '',
    '?api_key=wrong',
    `?api_key=${api.channel.keys.read_only}`,
    `?api_key=${api.channel.keys.player}`,
    `?app_key=${api.channel.app_key}`,
    `?access_token=${access_token}`,
  ])
    statuses.push((await post(credential)).status)
  assert.deepEqual(statuses, [401, 401, 403, 403, 403, 403])
  await assertNothing()
  assert.equal((await post(`?api_key=${api.channel.keys.admin}`)).status, 201)
})

test('other verbs are 405', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    const reply = await ask(`${api.url}/uploads`, 'json', { method })
    assert.deepEqual([reply.status, reply.headers.get('allow')], [405, 'POST'])
  }
})

const boundary = 'border'
const opening = (fileName = 'a.mp4') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="source"; filename="${fileName}"\r\nContent-Type: video/mp4\r\n\r\n`
const closing = `\r\n--${boundary}--\r\n`
const headersOf = (key: string, length: number) =>
  [
    ['Host', 'localhost'],
    ['X-Api-Key', key],
    ['Content-Type', `multipart/form-data; boundary=${boundary}`],
    ['Content-Length', String(length)],
  ] as const

/** The head of a request that announces `length` bytes, and the beginning of them; the rest never comes. */
const announce = (key: string, length: number) =>
  sendRaw(api.url, {
    method: 'POST',
    path: '/uploads',
    headers: headersOf(key, length),
    body: Buffer.from(`${opening()}beginning`),
  })

test('a caller without a right and a file that is too large are answered before the body is there', async () => {
  const { admin, read_only } = api.channel.keys
  const [forbidden, unknown, tooLarge] = await Promise.all([
    announce(read_only, 1e6),
    announce('wrong', 1e6),
    announce(admin, 3_000_000_000),
  ])
  assert.deepEqual([forbidden.status, unknown.status], [403, 401])
  assert.ok([413, 422].includes(tooLarge.status), tooLarge.text)
  assert.equal(tooLarge.headers.get('connection'), 'close')
  await assertNothing()
})

test('a file that grows beyond the limit is 413, though its size was not announced', async () => {
  const media = api.media as { maxUploadBytes: number }
  const { maxUploadBytes } = media
  media.maxUploadBytes = 1000
  try {
    const just = await send([['source', film('x'.repeat(1000)), 'a.mp4']])
    assert.equal(just.status, 201, just.text)
    await api.database.db`delete from videos`
    await api.media.storage.removeUnder('sources')
    const reply = await send([['source', film('x'.repeat(1001)), 'a.mp4']])
    assert.deepEqual([reply.status, reply.body.code], [413, 'too_large'])
    assert.equal((await stream(5_000_000)).status, 413)
    await assertNothing()
  } finally {
    media.maxUploadBytes = maxUploadBytes
  }
})

test('an upload that breaks off leaves nothing behind', async () => {
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
  await assertNothing()
  assert.equal((await send([['source', film(), 'a.mp4']])).status, 201)
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
  test(`a file of an odd name is taken: ${about}`, async () => {
    const body = Buffer.from(`${opening(fileName)}some film${closing}`)
    const headers = [...headersOf(api.channel.keys.admin, body.length), ['Connection', 'close'] as const]
    const reply = await sendRaw(api.url, { method: 'POST', path: '/uploads', headers, body })
    assert.equal(reply.status, 201, reply.text)
    assert.equal(JSON.parse(reply.text).response.title, title)
    const [source] = await sources()
    assert.ok(source && (source.file_name ?? '').length <= 255)
    assert.deepEqual(await filesInStorage(), [sourceKey(source._id)])
  })

/** Sends a file of this size in chunks, made as they go. */
async function stream(bytes: number, onChunk = () => {}): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(api.url)
  const sending = request({
    hostname,
    port,
    path: '/uploads',
    method: 'POST',
    headers: {
      'x-api-key': api.channel.keys.admin,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  })
  const chunk = Buffer.alloc(65_536, 'film')
  function* body() {
    yield Buffer.from(opening())
    for (let left = bytes; left > 0; left -= chunk.length) {
      onChunk()
      yield chunk.subarray(0, Math.min(left, chunk.length))
    }
    yield Buffer.from(closing)
  }
  const answering = once(sending, 'response')
  // A server that has answered need not take the rest.
  const sent = pipeline(Readable.from(body()), sending).catch(() => {})
  const [reply] = await answering
  let text = ''
  for await (const part of reply) text += part
  await sent
  return { status: reply.statusCode, text }
}

test('memory stays as it is while a large file comes in', async (context) => {
  await stream(10_000_000)
  await api.database.db`delete from videos`
  const before = process.memoryUsage().rss
  let most = 0
  const bytes = 300_000_000
  const reply = await stream(bytes, () => {
    most = Math.max(most, process.memoryUsage().rss)
  })
  assert.equal(reply.status, 201, reply.text)
  const [source] = await sources()
  assert.equal(Number(source?.bytes), bytes)
  assert.equal((await api.media.storage.stat(sourceKey(source?._id ?? '')))?.size, bytes)
  const grown = Math.round((most - before) / 1_048_576)
  context.diagnostic(`${grown} MB more`)
  assert.ok(grown < 100, `${grown} MB more`)
})

test('ten uploads at once are ten videos', async () => {
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) => send([['source', film(`film ${index}`), 'same name.mp4']])),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  assert.equal((await sources()).length, 10)
  assert.equal((await filesInStorage()).length, 10)
})
