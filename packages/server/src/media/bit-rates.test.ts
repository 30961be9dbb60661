import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureRates } from './bit-rates.js'

test('the peak is over neighbouring segments that last half to one and a half target durations', () => {
  // The first second alone has 8 Mbit/s, but is shorter than half a target duration.
  const rates = measureRates({ seconds: [1, 1, 2, 4, 4], bytes: [1e6, 1e5, 2e5, 4e5, 8e5], target: 4 })
  assert.deepEqual(rates, { peak: (8 * 1.1e6) / 2, average: (8 * 2.5e6) / 12 })
})

test('missing segments are left out and separate the others', () => {
  const rates = measureRates({ seconds: [4, 4, 4], bytes: [4e5, undefined, 2e5], target: 4 })
  assert.deepEqual(rates, { peak: 8e5, average: 6e5 })
  assert.equal(measureRates({ seconds: [4], bytes: [undefined], target: 4 }), undefined)
})

test('a film shorter than half a target duration has one rate', () => {
  assert.deepEqual(measureRates({ seconds: [0.4], bytes: [1e4], target: 1 }), { peak: 2e5, average: 2e5 })
})
