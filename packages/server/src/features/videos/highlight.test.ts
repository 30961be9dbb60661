import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distance } from './correct-words.js'
import { excerpt, finderOf, split, wordsIn } from './highlight.js'
import { spokenLines } from './spoken-lines.js'

const marked = (text: string, search: string) =>
  (excerpt(text, finderOf(wordsIn(search))) ?? [])
    .map(({ text: part, hit }) => (hit ? `[${part}]` : part))
    .join('')

test('whole words are marked in any case, and the last one also as a prefix', () => {
  assert.equal(marked('The Golden Gate, a gateway', 'golden gat'), 'The [Golden] [Gate], a [gateway]')
  assert.equal(marked('Goldener Herbst', 'golden herbst'), 'Goldener [Herbst]')
  assert.equal(marked('CAFÉ ŁÓDŹ', 'café łódź'), '[CAFÉ] [ŁÓDŹ]')
  assert.equal(marked('nothing of it', 'golden'), '')
})

test('the pieces of a text make up the whole text, and markup stays text', () => {
  const text = '<b>Golden</b> & "golden" <script>alert(1)</script>'
  const parts = split(text, finderOf(['golden']))
  assert.equal(parts.map((part) => part.text).join(''), text)
  assert.deepEqual(
    parts.filter(({ hit }) => hit).map((part) => part.text),
    ['Golden', 'golden'],
  )
})

test('a long text is cut between words around the first word that was found', () => {
  const text = `${'before '.repeat(50)}the vault opens ${'after '.repeat(50)}`
  const cut = marked(text, 'vault')
  assert.match(cut, /^…before before .* the \[vault\] opens after .*after…$/)
  assert.ok(cut.length < 210, cut)
  assert.match(marked(`${'x'.repeat(3000)} vault ${'y'.repeat(3000)}`, 'vault'), /\[vault\]/)
})

test('lines of subtitles are found with their times, and without names, tags and escapes', () => {
  const vtt =
    'WEBVTT\n\nvault\n00:00:01.000 --> 00:00:02.000\nGood morning\n\n' +
    '00:12:31.250 --> 00:12:33.000 align:left\nthe <i>vault</i>\nopens &amp; closes\n\n' +
    '01:00:00.000 --> 01:00:01.000\nAn open vault\n'
  assert.deepEqual(spokenLines(vtt, ['vault'], 3), [
    { time: 751.25, text: 'the vault opens & closes' },
    { time: 3600, text: 'An open vault' },
  ])
  assert.deepEqual(spokenLines(vtt, ['vault', 'closes'], 1), [
    { time: 751.25, text: 'the vault opens & closes' },
  ])
  assert.deepEqual(spokenLines(vtt, ['align'], 3), [])
})

test('the distance of two words counts inserted, deleted, replaced and swapped letters', () => {
  assert.equal(distance('archivist', 'archivist'), 0)
  assert.equal(distance('arcivist', 'archivist'), 1)
  assert.equal(distance('actal', 'actual'), 1)
  assert.equal(distance('cotnent', 'content'), 1)
  assert.equal(distance('brigde', 'bridges'), 2)
  assert.equal(distance('', 'abc'), 3)
  assert.equal(distance('abc', ''), 3)
})
