import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { json, startServer } from '../test/server.js'
import { createClient, ZoetropeError } from './index.js'

const id = '65f0c0ffee0123456789abcd'

test("an error has the fields of the server's response", async (t) => {
  const { url } = await startServer(t, (reply) =>
    json(reply, 422, {
      message: 'Title is too long.',
      code: 'invalid',
      errors: { title: ['is too long'] },
      request_id: 'r-1',
    }),
  )

  const failure = await createClient({ url, apiKey: 'key' })
    .videos.create({ title: 'x' })
    .catch((e) => e)

  assert.ok(failure instanceof ZoetropeError)
  assert.deepEqual(
    { ...failure, message: failure.message },
    {
      name: 'ZoetropeError',
      message: 'Title is too long.',
      status: 422,
      code: 'invalid',
      errors: { title: ['is too long'] },
      requestId: 'r-1',
      retryAfter: undefined,
    },
  )
})

test('an error without field errors has none, and its request id may come from the header', async (t) => {
  const { url } = await startServer(t, (reply) =>
    json(reply, 404, { message: 'Video not found', code: 'not_found' }, { 'x-request-id': 'r-2' }),
  )
  await assert.rejects(createClient({ url, apiKey: 'key' }).videos.get(id), {
    status: 404,
    message: 'Video not found',
    errors: {},
    requestId: 'r-2',
  })
})

test('an unreachable server is a network error with its reason', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))

  const client = createClient({ url: `http://127.0.0.1:${port}`, apiKey: 'secret', retries: 0 })
  const failure = await client.videos.list().catch((e) => e)

  assert.ok(failure instanceof ZoetropeError)
  assert.equal(failure.status, 0)
  assert.equal(failure.code, 'network')
  assert.match(failure.message, /^GET http:.*\/videos got no answer: .*ECONNREFUSED/)
  assert.ok(failure.cause instanceof Error)
})

test('a page from a proxy is explained and not thrown as a syntax error', async (t) => {
  const { url } = await startServer(t, (reply) => {
    reply.writeHead(502, { 'content-type': 'text/html' }).end('<html>\n  <h1>Bad Gateway</h1></html>')
  })
  await assert.rejects(createClient({ url, apiKey: 'key', retries: 0 }).videos.list(), {
    status: 502,
    code: 'unreadable',
    message:
      `GET ${url}/videos answered 502 with something that is not an answer of the API (text/html). ` +
      'Is the url right, or did a proxy answer? It begins: <html> <h1>Bad Gateway</h1></html>',
  })
})

test('a success response that is not from the API is an error too', async (t) => {
  const { url } = await startServer(t, (reply, { url }) => {
    if (url.includes('empty')) reply.writeHead(200).end()
    else if (url.includes('page')) reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    else json(reply, 200, { hello: 'world' })
  })
  const { videos } = createClient({ url, apiKey: 'key' })
  for (const name of ['empty', 'page', 'json'])
    await assert.rejects(videos.get(name), { status: 200, code: 'unreadable' })
})

test('a redirect is not followed, so that no key goes to another host', async (t) => {
  const other = await startServer(t, (reply) => json(reply, 200, { response: {} }))
  const { url } = await startServer(t, (reply) => reply.writeHead(301, { location: other.url }).end())

  await assert.rejects(createClient({ url, apiKey: 'key' }).videos.create({ title: 'x' }), {
    code: 'redirected',
    message: `POST ${url}/videos was redirected to ${other.url}. Give the client its final address as url.`,
  })
  assert.equal(other.seen.length, 0)
})
