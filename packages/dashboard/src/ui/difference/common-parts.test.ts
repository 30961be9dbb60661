import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonParts } from './common-parts.js'

const middles = (a: string, b: string) => {
  const [head, tail] = commonParts(a, b)
  return [a.slice(head, a.length - tail), b.slice(head, b.length - tail)]
}

test('only whole words differ', () => {
  assert.deepEqual(middles('the old sea', 'the open sea'), ['old', 'open'])
  assert.deepEqual(middles('sea', 'seabird'), ['sea', 'seabird'])
  assert.deepEqual(middles('a long sea', 'a long seabird song'), ['sea', 'seabird song'])
  assert.deepEqual(middles('upset', 'set'), ['upset', 'set'])
})

test('what is added at an end, or removed from it, leaves the words beside it alone', () => {
  assert.deepEqual(middles('glacier\nsea', 'glacier\nsea\nfestival'), ['', '\nfestival'])
  assert.deepEqual(middles('glacier\nsea\nfestival', 'glacier\nsea'), ['\nfestival', ''])
  assert.deepEqual(middles('sea', 'deep sea'), ['', 'deep '])
  assert.deepEqual(middles('', 'sea'), ['', 'sea'])
  assert.deepEqual(middles('sea', 'sea'), ['', ''])
})
