import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { FetchFailed, FetchRefused } from './fetch-error.js'
import { type FetchOptions, safeFetch } from './safe-fetch.js'

const limits = { maxBytes: 1_000_000, timeoutMs: 5000, idleMs: 2000 }
const here = { allow: (address: string) => address === '127.0.0.1' }
const get = (url: string, options: Partial<FetchOptions> = {}) => safeFetch(url, { ...limits, ...options })

let open: Server[] = []
afterEach(() => {
  for (const server of open) server.close()
  open = []
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  open.push(server)
  return `http://127.0.0.1:${await listen(server)}`
}

/** A server that sends exactly these bytes. */
async function say(bytes: string): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(bytes))
  })
  open.push(server)
  return `http://127.0.0.1:${await listen(server)}`
}

test('an endless body ends at the limit', async () => {
  let sent = 0
  const endless = async function* () {
    for (;;) {
      sent += 100_000
      yield Buffer.alloc(100_000)
    }
  }
  let isClosed = false
  const url = await serve((_, response) => {
    response.on('close', () => {
      isClosed = true
    })
    Readable.from(endless()).pipe(response)
  })
  const { body } = await get(url, here)
  await assert.rejects(
    text(body),
    (error) => error instanceof FetchRefused && /larger than the allowed/.test(error.message),
  )
  while (!isClosed) await pause(5)
  assert.ok(sent < 20_000_000, `${sent} bytes`)
})

test('a body that arrives too slowly is aborted, at any pace', async () => {
  const drip: RequestListener = async (_, response) => {
    while (!response.destroyed) {
      response.write('x')
      await pause(10)
    }
  }
  const stall: RequestListener = (_, response) => void response.write('x')
  for (const answer of [drip, stall]) {
    const { body } = await get(await serve(answer), { ...here, idleMs: 1000 })
    await assert.rejects(text(body), /arrived too slowly/)
  }
  const patient = { leastBytesPerSecond: 1, timeoutMs: 1000 }
  const { body } = await get(await serve(drip), { ...here, ...patient })
  await assert.rejects(text(body), /took longer than 1 second/)
})

test('our own reader may be slow', async () => {
  const url = await serve((_, response) => response.end(Buffer.alloc(900_000)))
  const { body } = await get(url, { ...here, idleMs: 500 })
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size < 300_000) await pause(200)
  }
  assert.equal(size, 900_000)
})

test('a wrong Content-Length does no harm', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length:'
  await assert.rejects(get(await say(`${head} 99999999999\r\n\r\nx`), here), /larger than the allowed/)
  const cut = await get(await say(`${head} 100\r\n\r\nshort`), here)
  await assert.rejects(text(cut.body), /broke off before it was complete/)
  const long = await get(await say(`${head} 5\r\n\r\nright and more`), here)
  assert.equal(await text(long.body), 'right')
  await assert.rejects(get(await say('nonsense\r\n\r\n'), here), FetchFailed)
  await assert.rejects(
    get(await say(`HTTP/1.1 200 OK\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`), here),
    FetchFailed,
  )
})

test('nothing is decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const url = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  const { body, headers } = await get(url, here)
  let size = 0
  for await (const chunk of body) size += chunk.length
  assert.equal(size, bomb.length)
  assert.equal(headers['content-encoding'], 'gzip')
})
