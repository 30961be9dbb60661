import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clock, shownDuration, shownTime, spokenTime } from './times.js'

test('a film of three minutes is three minutes long, though its file is some microseconds shorter', () => {
  assert.equal(clock(shownDuration(179.999993)), '3:00')
  assert.equal(clock(shownTime(179.99, 179.999993)), '3:00')
  assert.equal(clock(shownTime(100.9, 179.999993)), '1:40')
  assert.ok(Number.isNaN(shownTime(Number.NaN, 10)))
})

test('times are spoken without the parts that are none', () => {
  const spoken = [0, 1, 62, 3600, 3661.9].map(spokenTime)
  assert.deepEqual(spoken, [
    ...['0 seconds', '1 second', '1 minute, 2 seconds', '1 hour', '1 hour, 1 minute, 1 second'],
  ])
})
