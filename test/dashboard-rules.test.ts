import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterFor, type Rule } from '../packages/dashboard/src/pages/playlists/rules.js'

const rule = (title: string, value: readonly string[], exclude_values: readonly string[] = []): Rule => ({
  category_id: title,
  title,
  value,
  exclude_values,
})
const known = (title: string, ...values: string[]) => ({ _id: title, title, values }) as never
const drama = rule('Genre', ['Drama'], ['Horror'])

test('rules become filters of videos: of all of them or of any, without what is left out', () => {
  const both = [drama, rule('Era', [])]
  const categories = [known('Genre', 'Drama', 'Horror'), known('Era', 'Old', 'New')]
  const titles = { Genre: ['Drama'], Era: ['Old', 'New'] }
  assert.deepEqual(filterFor(both, true, categories), {
    category: titles,
    'category!': { Genre: ['Horror'] },
  })
  assert.deepEqual(filterFor(both, false, categories), {
    category_or: titles,
    'category!': { Genre: ['Horror'] },
  })
  assert.deepEqual(filterFor([rule('Genre', ['Drama']), rule('Genre', ['Horror'])], false, categories), {
    category_or: { Genre: ['Drama', 'Horror'] },
  })
})

test('nothing is found without rules, nor by a category without values where all must match', () => {
  const categories = [known('Genre', 'Drama', 'Horror'), known('Empty')]
  for (const isAll of [true, false]) assert.equal(filterFor([], isAll, categories), 'none')
  assert.equal(filterFor([drama, rule('Empty', [])], true, categories), 'none')
  assert.notEqual(filterFor([drama, rule('Empty', [])], false, categories), 'none')
})

test('rules that filters cannot express are not guessed', () => {
  const many = Array.from({ length: 201 }, (_, index) => `Value ${index}`)
  assert.equal(filterFor([drama, rule('Genre', ['Horror'])], true, []), undefined)
  assert.equal(filterFor([rule('Gone', [])], false, []), undefined)
  assert.equal(filterFor([rule('Much', [])], false, [known('Much', ...many)]), undefined)
  for (const title of ['2024', 'Genre [old]'])
    assert.equal(filterFor([rule(title, ['Drama'])], false, []), undefined)
})
