import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { json, startServer } from '../test/server.js'
import { createClient } from './index.js'

const id = '65f0c0ffee0123456789abcd'
const now = { 'retry-after': '0' }

/** Fails with these statuses in turn, then succeeds; status 0 cuts the connection. */
const failing = (t: TestContext, statuses: number[], headers: Record<string, string> = {}) =>
  startServer(t, (reply, _seen, count) => {
    const status = statuses[count - 1]
    if (status === 0) reply.destroy()
    else if (status) json(reply, status, { message: `Failed with ${status}.`, code: 'failed' }, headers)
    else json(reply, 200, { response: { _id: id } })
  })

for (const status of [0, 429, 502, 503, 504])
  test(`a read is repeated after ${status || 'a cut connection'}`, async (t) => {
    const { url, seen } = await failing(t, [status])
    assert.equal((await createClient({ url, apiKey: 'key' }).videos.get(id))._id, id)
    assert.equal(seen.length, 2)
  })

test('a read is given up after two more attempts, with the last error', async (t) => {
  const { url, seen } = await failing(t, [502, 504, 503, 502], now)
  await assert.rejects(createClient({ url, apiKey: 'key' }).videos.get(id), { status: 503, retryAfter: 0 })
  assert.equal(seen.length, 3)
})

test('the number of attempts can be chosen', async (t) => {
  const { url, seen } = await failing(t, [503, 503, 503, 503], now)
  await assert.rejects(createClient({ url, apiKey: 'key', retries: 0 }).videos.get(id))
  assert.equal(seen.length, 1)
  await createClient({ url, apiKey: 'key', retries: 3 }).videos.get(id)
  assert.equal(seen.length, 5)
})

for (const status of [401, 404, 422, 500])
  test(`a read is not repeated after ${status}`, async (t) => {
    const { url, seen } = await failing(t, [status], now)
    await assert.rejects(createClient({ url, apiKey: 'key' }).videos.get(id), { status })
    assert.equal(seen.length, 1)
  })

for (const status of [0, 502, 503, 504])
  test(`a write is repeated after ${status || 'a cut connection'} with the same key: it may have been done`, async (t) => {
    const { url, seen } = await failing(t, [status])
    const { videos } = createClient({ url, apiKey: 'key' })
    await videos.create({ title: 'x' })
    await videos.create({ title: 'x' })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    assert.equal(keys.length, 3)
    assert.equal(keys[0], keys[1])
    assert.notEqual(keys[0], keys[2])
  })

test('a write is repeated while the first request with its key is running, and not after another conflict', async (t) => {
  const running = await failing(t, [409], now)
  await createClient({ url: running.url, apiKey: 'key' }).videos.remove(id)
  assert.equal(running.seen.length, 2)
  const { url, seen } = await failing(t, [409])
  await assert.rejects(createClient({ url, apiKey: 'key' }).videos.remove(id), { status: 409 })
  assert.equal(seen.length, 1)
})

test('a write is not repeated after 500, and a caller can choose its key', async (t) => {
  const { url, seen } = await failing(t, [500])
  const { videos } = createClient({ url, apiKey: 'key' })
  await assert.rejects(videos.create({ title: 'x' }, { idempotencyKey: 'mine' }), { status: 500 })
  assert.deepEqual(
    seen.map(({ headers }) => headers['idempotency-key']),
    ['mine'],
  )
})

for (const status of [429, 503])
  test(`a write is repeated after ${status} with Retry-After: nothing was done`, async (t) => {
    const { url, seen } = await failing(t, [status], now)
    await createClient({ url, apiKey: 'key' }).videos.update(id, { title: 'x' })
    assert.deepEqual(
      seen.map(({ method, body }) => [method, body]),
      Array(2).fill(['PUT', { video: { title: 'x' } }]),
    )
  })

test('Retry-After is waited for, in seconds or as a date', async (t) => {
  for (const valueAt of [() => '1', (now: number) => new Date(now + 2000).toUTCString()]) {
    // Before the date is chosen: on a slow machine, part of the time is over when the client reads it.
    const start = performance.now()
    const value = valueAt(Date.now())
    const { url } = await failing(t, [429], { 'retry-after': value })
    await createClient({ url, apiKey: 'key' }).videos.get(id)
    assert.ok(performance.now() - start >= 990, value)
  }
})

test('a Retry-After of more than half a minute is left to the caller', async (t) => {
  const { url, seen } = await failing(t, [429], { 'retry-after': '31' })
  await assert.rejects(createClient({ url, apiKey: 'key' }).videos.get(id), { status: 429, retryAfter: 31 })
  assert.equal(seen.length, 1)
})
