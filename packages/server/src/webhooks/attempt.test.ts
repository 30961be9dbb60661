import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import { createNetworks } from '../lib/networks.js'
import { attempt, type Reach } from './attempt.js'
import { newWebhookSecret } from './signature.js'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** Starts a receiver, and returns its port. */
async function receive(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const loopback = createNetworks(['loopback'])
const send = async (url: string, reach: Partial<Reach> = {}) => {
  const message = { url, id: 'e1', body: '{"type":"video.created"}', secrets: [newWebhookSecret()] }
  const result = await attempt(message, { allow: loopback, timeoutMs: 10_000, ...reach })
  assert.ok(result)
  return [result.response_status, result.error] as const
}

test('the status decides, and the body arrives as JSON with its signature', async () => {
  const statuses = [200, 204, 299, 400, 410, 500]
  const port = await receive(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    assert.deepEqual(
      [request.method, request.headers['content-type'], request.headers['webhook-id'], body],
      ['POST', 'application/json', 'e1', '{"type":"video.created"}'],
    )
    assert.match(String(request.headers['webhook-signature']), /^v1,\S{44}$/)
    response.writeHead(Number(request.url?.slice(1))).end('what it says is ignored')
  })
  for (const status of statuses) {
    const error = status < 300 ? null : `The receiver answered ${status}.`
    assert.deepEqual(await send(`http://127.0.0.1:${port}/${status}`), [status, error])
  }
})

test('a redirect is a failure, and its address is not called', async () => {
  let isCalled = false
  const other = await receive((_request, response) => {
    isCalled = true
    response.end()
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const port = await receive((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${other}/` }).end()
    })
    const [, error] = await send(`http://127.0.0.1:${port}/`)
    assert.match(error ?? '', /redirects to another address, which is not followed/)
  }
  assert.equal(isCalled, false)
})

test('private addresses are refused unless the operator allows their network', async () => {
  let calls = 0
  const port = await receive((_request, response) => {
    calls += 1
    response.end()
  })
  const inside = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '10.0.0.1', '169.254.169.254']
  for (const host of inside) {
    const [status, error] = await send(`http://${host}:${port}/`, { allow: createNetworks([]) })
    assert.equal(status, null)
    assert.match(error ?? '', /not on the public internet.*WEBHOOK_NETWORKS/, host)
  }
  assert.equal(calls, 0)
  const resolve = async () => ['127.0.0.1']
  assert.deepEqual(await send(`http://inside.test:${port}/`, { resolve }), [200, null])
  const [, other] = await send(`http://10.0.0.1:${port}/`)
  assert.match(other ?? '', /WEBHOOK_NETWORKS/, 'another private network than the allowed one')
})

test('a name is looked up once for each attempt, all its addresses are checked, and the connection goes to a checked one', async () => {
  const port = await receive((_request, response) => void response.end())
  // What it resolves to, one after the other.
  const answers = [['127.0.0.1'], ['10.1.2.3'], ['127.0.0.1', '10.1.2.3'], ['127.0.0.1']]
  let lookups = 0
  const resolve = async () => answers[lookups++] ?? []
  const results: (number | null)[] = []
  for (let count = 1; count <= answers.length; count += 1) {
    results.push((await send(`http://rebound.test:${port}/`, { resolve }))[0])
    assert.equal(lookups, count)
  }
  assert.deepEqual(results, [200, null, null, 200])
})

test('a receiver that does not answer in time has failed', async () => {
  const port = await receive(() => {})
  const [status, error] = await send(`http://127.0.0.1:${port}/`, { timeoutMs: 200 })
  assert.equal(status, null)
  assert.match(error ?? '', /did not answer within 0\.2 seconds|took longer than 0\.2 seconds/)
})

test('an answer whose body never ends is cut off, and its status counts', async () => {
  const port = await receive((_request, response) => void response.writeHead(200).write('a'))
  assert.deepEqual(await send(`http://127.0.0.1:${port}/`, { timeoutMs: 500 }), [200, null])
})

test('of a large answer only a part is read', async () => {
  let written = 0
  const piece = Buffer.alloc(65_536)
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const port = await receive((_request, response) => {
    response.on('close', () => close()).writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write(piece)) written += piece.length
    }
    response.on('drain', more)
    more()
  })
  assert.deepEqual(await send(`http://127.0.0.1:${port}/`), [200, null])
  await closed
  // The rest lies in the buffers of both ends.
  assert.ok(written < 32_000_000, `${written} bytes`)
})

test('an attempt that is broken off has no result', async () => {
  const stopping = new AbortController()
  const port = await receive(() => stopping.abort())
  const message = { url: `http://127.0.0.1:${port}/`, id: 'e1', body: '{}', secrets: [newWebhookSecret()] }
  assert.equal(await attempt(message, { allow: loopback, signal: stopping.signal }), undefined)
})
