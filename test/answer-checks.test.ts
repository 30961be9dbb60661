import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { checkAnswers } from './support/answer-checks.js'

/** Returns the status and body that the request asks for, as a faulty server might. */
const server = createServer(async (request, response) => {
  const [status, body] = JSON.parse(String(request.headers['x-answer'])) as [number, unknown]
  const packed = request.headers['x-packed'] !== undefined
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...(packed ? { 'content-encoding': 'gzip' } : {}),
  })
  response.end(packed ? gzipSync(JSON.stringify(body)) : JSON.stringify(body))
})
let url: string
const noted: string[] = []
before(async () => {
  checkAnswers(server, (line) => noted.push(line))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

async function notedFor(method: string, path: string, status: number, body: unknown, packed = false) {
  noted.length = 0
  const headers = { 'x-answer': JSON.stringify([status, body]), ...(packed ? { 'x-packed': '1' } : {}) }
  await (await fetch(url + path, { method, headers })).text()
  return noted.join('')
}

const error = { message: 'Video not found', code: 'not_found', request_id: 'a' }
const pagination = {
  current: 0,
  previous: null,
  next: null,
  per_page: 10,
  pages: 0,
  total: 0,
  next_cursor: null,
}

test('responses that match the OpenAPI document are not reported', async () => {
  assert.equal(await notedFor('GET', '/healthz', 200, { status: 'ok' }), '')
  assert.equal(await notedFor('GET', '/videos', 200, { response: [], pagination }, true), '')
  assert.equal(await notedFor('GET', '/videos.json/?page=1', 200, { response: [], pagination }), '')
  assert.equal(await notedFor('GET', '/videos/1', 404, error), '')
  assert.equal(await notedFor('GET', '/nothing', 200, {}), '')
})

test('a response of another shape is reported, compressed or not, and so is an error', async () => {
  assert.match(
    await notedFor('GET', '/healthz', 200, { status: 'bad' }),
    /GET \/healthz\/status must be equal/,
  )
  for (const packed of [false, true])
    assert.match(await notedFor('GET', '/videos', 200, { response: {}, pagination }, packed), /must be array/)
  assert.match(await notedFor('GET', '/videos/1', 404, { message: 1 }), /GET \/videos\/\{id\}/)
})

test('an undocumented status is reported', async () => {
  assert.match(await notedFor('GET', '/videos', 418, error), /not documented to answer 418/)
})

test('a POST with _method may respond like a PUT or DELETE', async () => {
  assert.equal(await notedFor('POST', '/videos/1/restore', 404, error), '')
  assert.match(await notedFor('POST', '/videos', 200, { response: {} }), /POST \/videos/)
})
