import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayAfter } from './schedule.js'

test('eight attempts are spread over more than a day', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7].map((attempts) => delayAfter(attempts, 0))
  assert.deepEqual(delays, [5, 300, 1800, 7200, 18_000, 36_000, 36_000])
  assert.equal(delayAfter(8), undefined)
  const total = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0)
  assert.ok(total > 24 * 3600)
})

test('a delay is longer by up to a tenth', () => {
  assert.equal(delayAfter(2, 0), 300)
  assert.equal(delayAfter(2, 1), 330)
})
