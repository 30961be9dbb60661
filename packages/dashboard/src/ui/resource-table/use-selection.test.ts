import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedIds, idsBetween } from './use-selection.js'

const list = ['a', 'b', 'c', 'd', 'e']

test('a range is selected in the order of the list, from its beginning or from its end', () => {
  for (const [from, to] of [
    ['b', 'd'],
    ['d', 'b'],
  ] as const) {
    const ends = changedIds(changedIds(new Set(), [from], true), [to], true)
    assert.deepEqual([...changedIds(ends, idsBetween(list, from, to), true)], ['b', 'c', 'd'])
  }
})

test('a range can be deselected, and the others stay', () => {
  assert.deepEqual([...changedIds(new Set(list), idsBetween(list, 'd', 'b'), false)], ['a', 'e'])
})
