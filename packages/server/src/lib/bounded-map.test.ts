import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoundedMap } from './bounded-map.js'

test('the oldest entries are dropped first, and setting an entry again makes it the newest', () => {
  const map = createBoundedMap<number>(3)
  for (const key of ['a', 'b', 'c']) map.set(key, 1)
  map.set('a', 2)
  map.delete('b')
  map.set('d', 1)
  map.set('e', 1)
  assert.deepEqual(
    [...map.entries()],
    [
      ['a', 2],
      ['d', 1],
      ['e', 1],
    ],
  )
  map.clear()
  for (const key of ['f', 'g', 'h', 'i']) map.set(key, 1)
  assert.deepEqual(
    [...map.entries()].map(([key]) => key),
    ['g', 'h', 'i'],
  )
})
