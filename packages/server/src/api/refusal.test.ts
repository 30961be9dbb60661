import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '@zoetrope/contract'
import { operationInput, readInput } from './input.js'

const create = operationInput(catalog.videos, 'create')
const errorsOf = (tree: Record<string, unknown>) => {
  try {
    readInput(create, { tree, written: 'json' })
    return undefined
  } catch (error) {
    return error as { message: string; fields: Record<string, string[]> }
  }
}

test('each broken rule is a sentence under the name of its field', () => {
  const cases: [Record<string, unknown>, string, string][] = [
    [{}, 'title', 'is required'],
    [{ title: '' }, 'title', 'must not be empty'],
    [{ title: true }, 'title', 'must be text'],
    [{ title: 'x'.repeat(501) }, 'title', 'must be at most 500 characters long'],
    [{ title: 't', active: 'maybe' }, 'active', 'must be true or false'],
    [{ title: 't', rental_duration: 1.5 }, 'rental_duration', 'must be a whole number'],
    [{ title: 't', rental_duration: -1 }, 'rental_duration', 'must be at least 0'],
    [{ title: 't', episode: 1e9 }, 'episode', 'must be at most 1000000'],
    [{ title: 't', enable_at: 'soon' }, 'enable_at', 'must be a time: ISO 8601 or seconds since 1970'],
    [{ title: 't', keywords: 'a' }, 'keywords', 'must be a list'],
    [{ title: 't', keywords: [1] }, 'keywords', 'each item must be text'],
    [{ title: 't', preview_ids: ['x'] }, 'preview_ids', 'each item must be an id of 24 hexadecimal digits'],
    [
      { title: 't', discovery_url: 'ftp://x' },
      'discovery_url',
      'must be an address that begins with http:// or https://',
    ],
    [{ title: 't', custom_attributes: [] }, 'custom_attributes', 'must be key/value pairs'],
  ]
  for (const [tree, field, sentence] of cases)
    assert.deepEqual(errorsOf(tree)?.fields[field], [sentence], field)
})

test('everything that is wrong is told at once, in the message and by field', () => {
  const refused = errorsOf({ active: 'maybe', episode: 'x' })
  assert.deepEqual(Object.keys(refused?.fields ?? {}).sort(), ['active', 'episode', 'title'])
  assert.match(refused?.message ?? '', /^Could not save video: .*title is required/)
})

test('a list of a thousand bad items is one sentence, and what is right passes', () => {
  const many = errorsOf({ title: 't', keywords: Array.from({ length: 150 }, () => 1) })
  assert.deepEqual(many?.fields, { keywords: ['each item must be text'] })
  assert.equal(errorsOf({ title: 't' }), undefined)
})
