import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breaksOf } from './ad-schedule.js'

const plain = { vmap: false, interval_seconds: null }
const timings = [{ offset: 0 }, { offset: 4500, ad_placement_id: 'mid' }]
const offsets = (breaks: readonly { readonly offset: number }[]) => breaks.map(({ offset }) => offset)

test('breaks are where the publisher put them, else where the tag says, else at the beginning', () => {
  assert.deepEqual(breaksOf(plain, timings, 60), timings)
  assert.deepEqual(offsets(breaksOf({ vmap: false, interval_seconds: 20 }, [], 60)), [0, 20_000, 40_000])
  assert.deepEqual(breaksOf({ vmap: false, interval_seconds: 20 }, timings, 60), timings)
  assert.deepEqual(offsets(breaksOf(plain, [], 60)), [0])
})

test('a tag that returns its own times is requested once, at the beginning', () => {
  assert.deepEqual(offsets(breaksOf({ vmap: true, interval_seconds: 20 }, timings, 60)), [0])
})

test('a film of unknown length has one break, and the number of breaks is bounded', () => {
  assert.deepEqual(offsets(breaksOf({ vmap: false, interval_seconds: 20 }, [], 0)), [0])
  assert.equal(breaksOf({ vmap: false, interval_seconds: 1 }, [], 360_000).length, 500)
})
