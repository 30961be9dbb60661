import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimit } from './rate-limit.js'

test('a burst is allowed at once, then one more per share of the interval', () => {
  const take = createRateLimit(3, 3000)
  assert.deepEqual([take('a', 0), take('a', 0), take('a', 0)], [0, 0, 0])
  assert.equal(take('a', 0), 1000)
  assert.equal(take('b', 0), 0)
  assert.equal(take('a', 400), 600)
  assert.equal(take('a', 1000), 0)
  assert.ok(take('a', 1000) > 0)
  assert.deepEqual([take('a', 9000), take('a', 9000), take('a', 9000)], [0, 0, 0])
})

test('memory is bounded, and keys that must wait are remembered longest', () => {
  const take = createRateLimit(1, 1000, 2)
  take('a', 0)
  take('b', 500)
  assert.equal(take('c', 1200), 0)
  assert.ok(take('b', 1300) > 0)
})

test('many new keys do not reset the count of a key at its limit', () => {
  const most = 10
  const take = createRateLimit(most, 1000, 100)
  for (let index = 0; index < most; index += 1) take('limited', 0)
  assert.ok(take('limited', 0) > 0)
  for (let index = 0; index < 50_000; index += 1) assert.equal(take(`fresh ${index}`, 0), 0)
  assert.ok(take('limited', 0) > 0)
})
