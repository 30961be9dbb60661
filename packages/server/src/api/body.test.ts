import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { sendRaw } from '../../../../test/support/raw-http.js'
import { assertLinearUpTo } from '../../../../test/support/work.js'
import { addBodyBounds, type BodyBounds } from '../edge/body-bounds.js'
import { addLinger } from '../edge/linger.js'
import { betweenRequests, type Pace } from '../edge/pace.js'
import { addBodies, type Fields } from './body.js'
import { addErrors } from './error-handler.js'

/** Echoes the fields of every body, as JSON. */
async function listen(bounds?: BodyBounds): Promise<{ app: FastifyInstance; url: string }> {
  const app = Fastify()
  addErrors(app)
  addBodyBounds(app, () => false, bounds)
  addLinger(app)
  addBodies(app)
  app.post('/', { config: { files: ['file'] } }, async ({ body }) => (body as Fields).tree)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

let app: FastifyInstance
let url: string
before(async () => {
  ;({ app, url } = await listen())
})
after(() => app.close())

const request = (type: string, body: string | Buffer) => ({
  method: 'POST',
  path: '/',
  headers: [
    ['Host', 'a'],
    ['Connection', 'close'],
    ['Content-Type', type],
  ] as const,
  body: Buffer.from(body),
})
const send = (type: string, body: string | Buffer) => sendRaw(url, request(type, body), 60_000)
const fieldsIn = async (type: string, body: string) => {
  const { status, text } = await send(type, body)
  return [status, JSON.parse(text)] as const
}

const json = 'application/json'
const xml = 'text/xml'
const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=b'
const part = (disposition: string, value: string) =>
  `--b\r\nContent-Disposition: form-data${disposition}\r\n\r\n${value}\r\n`

test('multipart fields come in their order, with line ends and characters as they were sent', async () => {
  const body = `${part('; name="a"', 'é\r\n🎬')}${part('; name="b[]"', '')}--b--\r\n`
  assert.deepEqual(await fieldsIn(multipart, body), [200, { a: 'é\r\n🎬', b: [''] }])
})

test('a file of a declared field comes as base64, with its name beside it', async () => {
  const body = `${part('; name="a[file]"; filename="x.vtt"', 'text')}--b--\r\n`
  const file = Buffer.from('text').toString('base64')
  assert.deepEqual(await fieldsIn(multipart, body), [200, { a: { file, file_file_name: 'x.vtt' } }])
})

test('multipart that cannot be read is refused, and ends nothing but its request', async () => {
  const refused = {
    'another file': `${part('; name="f"; filename="x"', 'a file')}--b--\r\n`,
    'a file that breaks off': part('; name="f"; filename="x"', 'no end'),
    'a declared file that breaks off': part('; name="file"; filename="x"', 'no end'),
    'too many fields': `${part('; name="a"', '1').repeat(1001)}--b--\r\n`,
    'too many fields that break off': part('; name="a"', '1').repeat(1001),
    'many parts that break off': '--b\r\n\r\n\r\n'.repeat(20_000),
    'a field that breaks off': part('; name="a"', 'no end'),
    'a part without a name': `${part('', 'x')}--b--\r\n`,
    'a file without a name': `${part('; filename="x"', 'x')}--b--\r\n`,
    garbage: 'garbage',
  }
  for (const [what, body] of Object.entries(refused)) {
    const { status, text } = await send(multipart, body)
    assert.equal(status, 422, `${what}: ${text}`)
  }
  assert.equal((await send('multipart/form-data', 'x')).status, 422)
})

test('JSON and XML with too many values, or nested too deep, are refused before they are built', async () => {
  const refused: [string, string][] = [
    [json, `{"a":[${'{},'.repeat(20_000)}{}]}`],
    [json, `{"a":[${'0,'.repeat(20_000)}0]}`],
    [json, `{"x[y]":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    [json, `${'{"a":'.repeat(24)}1${'}'.repeat(24)}`],
    [xml, `<a>${'<b/>'.repeat(20_000)}</a>`],
    [xml, `<a ${Array.from({ length: 20_000 }, (_, index) => `b${index}=""`).join(' ')}/>`],
    [xml, '<a>'.repeat(20_000)],
    [form, 'a=1&'.repeat(100_000)],
  ]
  for (const [type, body] of refused) {
    const { status, text } = await send(type, body)
    assert.equal(status, 422, text)
    assert.match(text, /more than 20,000|nest|at most 1000 parameters/)
  }
})

test('separators inside of texts are not counted, and what is near the limit is accepted', async () => {
  const text = `\\"[{,${'[{,'.repeat(30_000)}`
  const [status, fields] = await fieldsIn(json, `{"a":"${text}","b":[${'1,'.repeat(19_000)}1]}`)
  assert.equal(status, 200)
  assert.equal(fields.a.length, text.length - 1)
  assert.equal(fields.b.length, 19_001)
})

test('a parameter that is repeated is a list', async () => {
  assert.deepEqual(await fieldsIn(form, 'a=1&a=2&a=3'), [200, { a: ['1', '2', '3'] }])
})

/** Hostile bodies by size, each refused or accepted; what counts is how the time to do so grows. */
const bodies: Record<string, [string, (size: number) => string]> = {
  'a repeated parameter': [form, (size) => 'a=1&'.repeat(size / 1000)],
  'parameters in brackets': [
    form,
    (size) => Array.from({ length: size / 1000 }, (_, i) => `a[${i}][b][]=1`).join('&'),
  ],
  'a form of escapes': [form, (size) => `a=${'%F0%9F%8E%AC'.repeat(size / 12)}`],
  'a form of separators': [form, (size) => '&'.repeat(size)],
  'JSON of objects': [json, (size) => `{"a":[${'{},'.repeat(size / 3)}{}]}`],
  'JSON of escapes': [json, (size) => `{"a":"${'\\"'.repeat(size / 2)}"}`],
  'JSON of nesting': [json, (size) => '['.repeat(size)],
  'JSON of digits': [json, (size) => `{"a":${'1'.repeat(size)}}`],
  'XML of entities': [xml, (size) => `<a>${'&amp;'.repeat(size / 5)}</a>`],
  'XML of elements': [xml, (size) => `<a>${'<b/>'.repeat(size / 100)}</a>`],
  'XML of comments': [xml, (size) => `<a>${'<!-- -->'.repeat(size / 8)}</a>`],
  'XML of brackets': [xml, (size) => `<a>${']'.repeat(size)}</a>`],
  'XML of sections': [xml, (size) => `<a>${'<![CDATA[]]>'.repeat(size / 12)}</a>`],
  'XML of an open tag': [xml, (size) => `<a ${'<a '.repeat(size / 3)}`],
  'multipart of line ends': [multipart, (size) => `${part('; name="a"', '\r\n-'.repeat(size / 3))}--b--\r\n`],
  'multipart of empty parts': [multipart, (size) => '--b\r\n\r\n\r\n'.repeat(size / 10)],
  'multipart of headers': [multipart, (size) => `--b\r\n${'A: b\r\n'.repeat(size / 6)}\r\n\r\n--b--\r\n`],
  'multipart of parameters': [multipart, (size) => part('; a="b"'.repeat(size / 70), 'x')],
}

for (const [what, [type, make]] of Object.entries(bodies))
  test(`${what}: the time grows in proportion to the length`, () =>
    assertLinearUpTo((size) => send(type, make(size)), 480_000))

test('the work on large bodies of strangers is done in small slices', async (context) => {
  let slices = 0
  const otherPace: Pace = (slice) => {
    slices += 1
    return betweenRequests(slice)
  }
  const bounds = { publisherBytes: 1e6, otherBytes: 8e6, publishersAtOnce: 4, othersAtOnce: 4, otherPace }
  const counting = await listen({ ...bounds, firstMs: 60_000, msPerByte: 1 })
  context.after(() => counting.app.close())
  const text = 'x'.repeat(1_000_000)
  const received = Math.floor(text.length / 131_072)
  for (const [type, body, least] of [
    [json, `{"a":"${text}"}`, received],
    [form, `a=${text}`, received],
    [xml, `<a>${text}</a>`, received + text.length / 8192],
    [multipart, `${part('; name="a"', text)}--b--\r\n`, text.length / 2048],
    [multipart, part('; name="a"', '').repeat(10_000), (1000 * part('; name="a"', '').length) / 2048],
  ] as const) {
    slices = 0
    await sendRaw(counting.url, request(type, body), 60_000)
    assert.ok(slices >= Math.floor(least), `${slices} slices for ${body.length} bytes of ${type}`)
  }
})

/** Opens a connection and sends the headers of a body, and its beginning. */
async function begin(
  headers: string,
  beginning: string | Buffer,
  { at = url, type = json } = {},
): Promise<Socket> {
  const { port, hostname } = new URL(at)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${headers}\r\n\r\n`)
  socket.write(beginning)
  return socket
}
const answerOf = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0])

test('a body that does not come, or comes too slowly, is refused with 408', async (context) => {
  const hurried = await listen({
    publisherBytes: 1e6,
    otherBytes: 1e6,
    publishersAtOnce: 4,
    othersAtOnce: 4,
    otherPace: betweenRequests,
    firstMs: 500,
    msPerByte: 1,
  })
  context.after(() => hurried.app.close())
  const at = hurried.url
  const silent = await begin('Content-Length: 1000', '{', { at })
  const slow = await begin('Content-Length: 1000', '{', { at })
  const dripping = setInterval(() => slow.write(' '), 50)
  const parts = await begin('Content-Length: 1000', '--b\r\n', { at, type: multipart })
  for (const socket of [silent, slow, parts])
    assert.match(await answerOf(socket), /^HTTP\/1\.1 408.*too slowly/s)
  clearInterval(dripping)
})

test('a body in small pieces arrives whole', async () => {
  const body = JSON.stringify({ a: '0123456789'.repeat(5000) })
  const pieces = body.match(/.{1,40}/g) ?? []
  const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
  const { status, text } = await sendRaw(url, {
    ...request(json, `${chunks.join('')}0\r\n\r\n`),
    headers: [...request(json, '').headers, ['Transfer-Encoding', 'chunked']],
  })
  assert.equal(status, 200)
  assert.equal(text, body)
})

test('a body that arrives in many tiny pieces is cut off', async () => {
  const socket = await begin('Transfer-Encoding: chunked', '1\r\n \r\n'.repeat(5000))
  const received: Buffer[] = []
  socket.on('data', (piece) => received.push(piece)).on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve))
  assert.deepEqual(received, [])
})

test('a body that is too large is answered although the client still sends', async () => {
  const { status, text } = await send(json, Buffer.alloc(3_000_000, ' '))
  assert.equal(status, 413, text)
  const socket = await begin('Transfer-Encoding: chunked', `200000\r\n${' '.repeat(0x200000)}\r\n`)
  assert.match(await answerOf(socket), /^HTTP\/1\.1 413/)
  await once(socket, 'close')
})

test('when bodies in memory are too many, the oldest that is not whole gives way to newer ones', async () => {
  const beginning = Buffer.alloc(900_000, ' ')
  const sockets: Socket[] = []
  const endings: Promise<string>[] = []
  for (let index = 0; index < 12; index += 1) {
    const socket = await begin('Content-Length: 1000000', beginning)
    sockets.push(socket)
    endings.push(answerOf(socket))
  }
  const first = await Promise.race(endings)
  assert.match(first, /^HTTP\/1\.1 503/)
  assert.match(first, /retry-after: \d/i)
  assert.match(first, /"code":"overloaded"/)
  // Somebody else is served meanwhile, with a body that is as large.
  const { status } = await send(json, `{"a":"${'x'.repeat(900_000)}"}`)
  assert.equal(status, 200)
  for (const socket of sockets) socket.resetAndDestroy()
})
