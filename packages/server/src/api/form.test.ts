import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinearUpTo } from '../../../../test/support/work.js'
import { readForm } from './form.js'

test('a form is read as URLSearchParams reads it', () => {
  const piece = fc.constantFrom(
    'a',
    '=',
    '&',
    '+',
    '%',
    '%2',
    '%41',
    '%zz',
    '%F0%9F%8E%AC',
    '%ff',
    '%c3',
    '?',
    '%2B',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('')
      assert.deepEqual([...readForm(text)], [...new URLSearchParams(text)], text)
    }),
    { numRuns: 2000 },
  )
})

test('characters that need no escape stay beside escapes that cannot be read', () => {
  assert.deepEqual([...readForm('é%zz🎬=%ff+é')], [['é%zz🎬', '\ufffd é']])
})

for (const piece of ['+', '%', '%F0%9F%8E%AC', '%ff', 'a=1&'])
  test(`the time for a form of ${piece} grows in proportion to its length`, () =>
    assertLinearUpTo(async (size) => [...readForm(piece.repeat(size / piece.length))], 480_000))
