import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStorable, isStorableText } from './clean.js'

test('text may contain line breaks, tabs and any complete character', () => {
  for (const text of ['', 'a\tb\r\nc', '🎬', '\u202e', '\u00a0']) assert.equal(isStorableText(text), true)
})

test('control characters, lone surrogates and non-characters cannot be stored', () => {
  for (const text of ['\u0000', 'a\u0008', '\u001f', '\ud800', '\udc00\ud800', '\ufffe', '\uffff'])
    assert.equal(isStorableText(text), false, JSON.stringify(text))
})

test('a value is checked at every level, keys included, down to the allowed depth', () => {
  assert.equal(isStorable({ a: [1, 'x', null, true, { b: [] }] }, 5), true)
  assert.equal(isStorable({ a: { b: ['\u0000'] } }, 5), false)
  assert.equal(isStorable({ '\u0000': 1 }, 5), false)
  assert.equal(isStorable([Number.POSITIVE_INFINITY], 5), false)
  assert.equal(isStorable([[[]]], 3), true)
  assert.equal(isStorable([[[]]], 2), false)
})
