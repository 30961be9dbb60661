import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { until } from '../../../../test/support/patience.js'
import { FetchFailed, FetchRefused } from './fetch-error.js'
import { type FetchOptions, safeFetch } from './safe-fetch.js'

const limits = { maxBytes: 1_000_000, timeoutMs: 5000, idleMs: 2000 }
const here = { allow: (address: string) => address === '127.0.0.1' }
const get = (url: string, options: Partial<FetchOptions> = {}) => safeFetch(url, { ...limits, ...options })

/** An internal server: every connection to it is counted. */
let forbidden: Server
let connections = 0
let open: Server[] = []

async function listen<S extends Server>(server: S, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  open.push(server)
  return `http://127.0.0.1:${await listen(server)}`
}

let port: number
before(async () => {
  forbidden = createTcpServer((socket) => {
    connections += 1
    socket.destroy()
  })
  // All addresses of this machine, IPv4 and IPv6.
  port = await listen(forbidden, '::')
})
after(() => forbidden.close())
afterEach(() => {
  for (const server of open) server.close()
  open = []
  assert.equal(connections, 0, 'the internal server must see no connection')
})

const notPublic = (error: unknown) =>
  error instanceof FetchRefused && /not on the public internet/.test(error.message)

test('no spelling of an internal address is connected to', async () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '017700000001',
    '0177.0.0.1',
    '１２７.０.０.１',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '10.0.0.1',
    '192.168.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '[fd00:ec2::254]',
    'localhost',
    'LOCALHOST',
  ])
    for (const scheme of ['http', 'https'])
      await assert.rejects(get(`${scheme}://${host}:${port}/`), notPublic, host)
  await assert.rejects(get(`http://localhost.:${port}/`), FetchRefused)
})

test('a name is refused if any of its addresses is internal, or if it cannot be resolved', async () => {
  const url = `http://films.example:${port}/`
  for (const addresses of [
    ['127.0.0.1'],
    ['1.1.1.1', '10.0.0.1'],
    ['2606:4700::1111', '::ffff:10.0.0.1'],
    ['nonsense'],
  ])
    await assert.rejects(get(url, { resolve: async () => addresses }), notPublic)
  await assert.rejects(get(url, { resolve: async () => [] }), FetchRefused)
  const missing = Object.assign(new Error('x'), { code: 'ENOTFOUND' })
  await assert.rejects(get(url, { resolve: () => Promise.reject(missing) }), FetchRefused)
  const broken = Object.assign(new Error('x'), { code: 'ESERVFAIL' })
  await assert.rejects(get(url, { resolve: () => Promise.reject(broken) }), FetchFailed)
  const silent = get(url, { resolve: () => new Promise(() => {}), timeoutMs: 100 })
  await assert.rejects(silent, /took longer than 0.1 seconds/)
})

test('a name that resolves differently the second time is resolved once', async () => {
  const answers = [['192.0.2.1'], ['127.0.0.1']]
  let asked = 0
  const resolve = async () => answers[asked++] ?? ['127.0.0.1']
  // 192.0.2.1 is unused; here it stands for a public address.
  const allow = (address: string) => address === '192.0.2.1'
  await assert.rejects(get(`http://films.example:${port}/`, { resolve, allow, idleMs: 300 }), FetchFailed)
  assert.equal(asked, 1)
})

test('the connection goes to the checked address, with the requested host name', async () => {
  const url = new URL(
    await serve((request, response) =>
      response.end(`${request.headers.host} ${request.headers['accept-encoding']}`),
    ),
  )
  url.hostname = 'films.example'
  const answer = await get(url.href, {
    ...here,
    resolve: async () => ['127.0.0.1'],
    headers: { Host: 'inner.example', 'accept-encoding': 'gzip' },
  })
  assert.equal(await text(answer.body), `films.example:${url.port} identity`)
  assert.equal(answer.finalUrl, url.href)
})

const openssl = '/usr/bin/openssl'

/** A self-signed certificate. */
function selfSigned(name: string): { key: string; cert: string } {
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '1',
  ]
  const pem = execFileSync(openssl, [...args, '-subj', `/CN=${name}`, '-keyout', '-', '-out', '-'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()
  return { key: pem, cert: pem }
}

test('with TLS the host name is sent, and its certificate must be valid', {
  skip: !existsSync(openssl),
}, async () => {
  const names: unknown[] = []
  const server = createTlsServer(selfSigned('films.example'), (socket) => socket.on('error', () => {}))
  server.on('tlsClientError', (_, socket) => names.push(socket.servername))
  server.on('secureConnection', (socket) => names.push(socket.servername))
  open.push(server)
  const url = `https://films.example.:${await listen(server)}/`
  const pinned = { ...here, resolve: async () => ['127.0.0.1'] }
  await assert.rejects(get(url, pinned), /its certificate is not valid \(DEPTH_ZERO_SELF_SIGNED_CERT\)/)
  while (names.length === 0) await pause(5)
  assert.deepEqual(names, ['films.example'])
})

test('every redirect is checked like the first address', async () => {
  const targets = [
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    `//10.0.0.1:${port}/`,
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'http://user:pass@example.com/',
    'http://1.1.1.1:25/',
    'http://',
  ]
  const url = await serve((request, response) => {
    response.writeHead(302, { location: targets[Number(request.url?.slice(1))] }).end()
  })
  // Only the first server is allowed, not the whole machine.
  let asked = 0
  const allow = (address: string) => address === '127.0.0.1' && asked++ === 0
  for (const index of targets.keys()) {
    asked = 0
    await assert.rejects(get(`${url}/${index}`, { allow }), FetchRefused, targets[index])
  }
  asked = 0
  const hops = await serve((_, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end(),
  )
  await assert.rejects(get(hops, { allow }), notPublic)
})

test('a limited number of redirects is followed, and secrets stay within an origin', async () => {
  let requests = 0
  const other = await serve((request, response) =>
    response.end(JSON.stringify([request.method, request.headers])),
  )
  const url = await serve((request, response) => {
    requests += 1
    const left = Number(request.url?.slice(1))
    response.writeHead(302, { location: left > 1 ? `/${left - 1}` : `${other}/end#part` }).end('ignored')
  })
  const headers = { Authorization: 'secret', cookie: 'a=b', 'x-kept': 'yes' }
  const found = await get(`${url}/5`, { ...here, headers, method: 'POST', body: 'x' })
  const [method, seen] = JSON.parse(await text(found.body))
  assert.equal(found.finalUrl, `${other}/end`)
  assert.deepEqual(
    [method, seen.authorization, seen.cookie, seen['x-kept']],
    ['GET', undefined, undefined, 'yes'],
  )
  requests = 0
  await assert.rejects(get(`${url}/30`, here), /redirects more than 5 times/)
  assert.equal(requests, 6)
  await assert.rejects(get(`${url}/1`, { ...here, maxRedirects: 0 }), /is not followed here/)
})

test('other schemes, credentials and inner ports are refused', async () => {
  const schemes = [
    'file:///etc/passwd',
    'gopher://a.example/',
    'ftp://a.example/',
    'data:,x',
    'javascript:1',
    'a',
    '',
  ]
  for (const url of [...schemes, 'http://u@a.example/', 'http://:p@a.example/', 'http:///'])
    await assert.rejects(get(url), FetchRefused, url)
  for (const inner of [0, 22, 25, 81, 445, 853, 1023, 5432, 6379, 9200, 11211, 27017])
    await assert.rejects(get(`http://1.1.1.1:${inner}/`), /Port \d+ is not allowed/, String(inner))
})

test('a server that is silent, hangs up or is unreachable is a failure, not a refusal', async () => {
  await assert.rejects(
    get(await serve(() => {}), { ...here, idleMs: 100 }),
    /did not answer within 0.1 seconds/,
  )
  await assert.rejects(get(await serve((request) => request.socket.destroy()), here), FetchFailed)
  const gone = createServer()
  const url = `http://127.0.0.1:${await listen(gone)}`
  gone.close()
  await assert.rejects(get(url, here), /connection to 127.0.0.1 failed \(ECONNREFUSED\)/)
})

test('the caller can abort before the response and during the body', async () => {
  const enough = new Error('Enough.')
  const stopped = { ...here, signal: AbortSignal.abort(enough) }
  await assert.rejects(get(await serve(() => {}), stopped), enough)
  const controller = new AbortController()
  const url = await serve((_, response) => void response.write('x'.repeat(5000)))
  const { body } = await get(url, { ...here, signal: controller.signal })
  const reading = text(body)
  controller.abort(enough)
  await assert.rejects(reading, enough)
  const unread = await get(url, { ...here, timeoutMs: 2000 })
  await until('The end of a response that nobody reads', () => unread.body.destroyed)
})

test('a POST sends its body, and its response is returned in full', async () => {
  const url = await serve(async (request, response) =>
    response.writeHead(201, { 'x-a': 'b' }).end(await text(request)),
  )
  const answer = await get(url, {
    ...here,
    method: 'POST',
    body: 'ünd',
    headers: { 'content-type': 'text/plain' },
  })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['x-a'], 'b')
  assert.equal(await text(answer.body), 'ünd')
  const head = await get(
    await serve((_, response) => response.setHeader('content-length', 5_000_000_000).end()),
    {
      ...here,
      method: 'HEAD',
    },
  )
  assert.equal(await text(head.body), '')
})

test('an internal name and one that does not exist are refused with the same words', async () => {
  const messageFor = (resolve: () => Promise<readonly string[]>) =>
    safeFetch('http://inside.example/', { ...limits, resolve }).then(
      () => '',
      (error: unknown) => (error instanceof FetchRefused ? error.message : String(error)),
    )
  const unknown = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  const messages = await Promise.all([
    messageFor(async () => ['10.0.0.7']),
    messageFor(async () => []),
    messageFor(() => Promise.reject(unknown)),
  ])
  assert.match(messages[0] ?? '', /^inside\.example is not on the public internet, or does not exist\./)
  assert.deepEqual(new Set(messages).size, 1)
})
