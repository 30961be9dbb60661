import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWatchTime } from './watch-time.js'

test('only the time in which it runs is counted', () => {
  let now = 1000
  const time = createWatchTime(() => now)
  assert.equal(time.settle(), 0)
  time.run()
  now += 4000
  assert.equal(time.settle(), 4)
  now += 2000
  assert.equal(time.stop(), 6)
  now += 60_000
  assert.equal(time.settle(), 6)
  time.run()
  time.run()
  now += 500
  assert.equal(time.settle(), 6.5)
})

test('time while the device sleeps does not count, and a clock set back subtracts nothing', () => {
  let now = 1000
  const time = createWatchTime(() => now)
  time.run()
  now += 3_600_000
  assert.equal(time.settle(), 30)
  now -= 10_000
  assert.equal(time.settle(), 30)
})
