import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findIn, lineAt, readSubtitles } from './transcript-lines.js'

test('the line at a time is the last one that has begun', () => {
  const lines = [1, 2, 2, 5].map((start) => ({ start, text: '' }))
  assert.deepEqual(
    [0, 1, 1.9, 2, 4.9, 5, 99].map((seconds) => lineAt(lines, seconds)),
    [-1, 0, 0, 2, 2, 3, 3],
  )
  assert.equal(lineAt([], 3), -1)
})

test('a search splits a line at its matches, whatever their case', () => {
  const shown = (text: string, searched: string) =>
    findIn(text, searched)?.map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
  assert.deepEqual(shown('The harbour, the Boats', 'the '), ['[The]', ' harbour, ', '[the]', ' Boats'])
  assert.deepEqual(shown('Boats', 'boats'), ['[Boats]'])
  assert.deepEqual(shown('Boats', '  '), ['Boats'])
  assert.equal(shown('Boats', 'gulls'), undefined)
  assert.deepEqual(shown('İstanbul', 'stan'), ['[İstanbul]'])
})

test('subtitles are read from an attribute, and anything else is left out', () => {
  const one = { file: '/a.vtt', label: 'English', language: 'en' }
  assert.deepEqual(readSubtitles(JSON.stringify([one, { file: 1 }, null])), [one])
  for (const nothing of [null, '', '{', '{}']) assert.deepEqual(readSubtitles(nothing), [])
})
