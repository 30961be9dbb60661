import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRow } from '../packages/dashboard/src/pages/csv-import/targets.js'

test('a cell with a list is split at its marks, but not between quotes', () => {
  const keywordsOf = (cell: string) => readRow([cell], ['keywords'], []).fields.keywords
  assert.deepEqual(keywordsOf('a, "b, c"'), ['a', 'b, c'])
  assert.deepEqual(keywordsOf('"b; c"|d'), ['b; c', 'd'])
  assert.deepEqual(keywordsOf('"so ""called""", other'), ['so "called"', 'other'])
  assert.deepEqual(keywordsOf('a, b;c | d,,'), ['a', 'b', 'c', 'd'])
  assert.deepEqual(keywordsOf('5" disks, 3'), ['5" disks', '3'])
})
