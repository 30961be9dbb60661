import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slug } from './slug.js'

test('a title becomes words in lower case without accents, joined by hyphens', () => {
  const cases = {
    'Winter & Sun!': 'winter-sun',
    'Crème Brûlée': 'creme-brulee',
    '  --a__b--  ': 'a-b',
    'Část 2': 'cast-2',
    日本の夏: '日本の夏',
    ﬁn: 'fin',
  }
  for (const [title, expected] of Object.entries(cases)) assert.equal(slug(title), expected)
})

test('a title without letters still gets a slug', () => {
  for (const title of ['', '!!!', '🎬', '///']) assert.equal(slug(title), 'untitled')
})

test('a long title is cut between characters, never inside one, and not after a hyphen', () => {
  assert.equal(slug('x'.repeat(300)).length, 200)
  assert.equal(slug('ab cd', 3), 'ab')
  assert.equal([...slug('𝒳'.normalize('NFC').repeat(5), 3)].length, 3)
  assert.equal([...slug('\u{20000}'.repeat(5), 3)].join(''), '\u{20000}'.repeat(3))
})
