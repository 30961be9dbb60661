import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json, startServer } from '../test/server.js'
import { createClient } from './index.js'

const id = '65f0c0ffee0123456789abcd'

test('a call ends with the reason of its signal, and is not repeated', async (t) => {
  const controller = new AbortController()
  const { url, seen } = await startServer(t, () => controller.abort(new Error('Changed my mind.')))
  const { videos } = createClient({ url, apiKey: 'key' })

  await assert.rejects(videos.get(id, { signal: controller.signal }), { message: 'Changed my mind.' })
  assert.equal(seen.length, 1)

  await assert.rejects(videos.create({ title: 'x' }, { signal: controller.signal }))
  assert.equal(seen.length, 1)
})

test('a signal also ends the wait before the next attempt', async (t) => {
  const controller = new AbortController()
  const { url, seen } = await startServer(t, (reply) => {
    json(reply, 503, { message: 'Later.' }, { 'retry-after': '20' })
    setTimeout(() => controller.abort(), 100)
  })
  const { account } = createClient({ url, apiKey: 'key' })

  await assert.rejects(account.get({ signal: controller.signal }), { name: 'AbortError' })
  assert.equal(seen.length, 1)
})

test('a read that takes too long is tried again, then fails as a timeout', async (t) => {
  const { url, seen } = await startServer(t, () => {})
  const { videos } = createClient({ url, apiKey: 'key', timeoutMs: 50, retries: 1 })

  await assert.rejects(videos.get(id), {
    status: 0,
    code: 'timeout',
    message: `GET ${url}/videos/${id} took longer than 50 milliseconds.`,
  })
  assert.equal(seen.length, 2)
})

test('the time limit covers the body, and a write is tried again with the same key', async (t) => {
  const { url, seen } = await startServer(t, (reply) => {
    reply.writeHead(200, { 'content-type': 'application/json' }).write('{"response":')
  })
  const { videos } = createClient({ url, apiKey: 'key', timeoutMs: 1000, retries: 1 })

  await assert.rejects(videos.update(id, { title: 'x' }), { code: 'timeout' })
  assert.equal(seen.length, 2)
  assert.equal(seen[0]?.headers['idempotency-key'], seen[1]?.headers['idempotency-key'])
})
