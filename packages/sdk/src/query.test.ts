import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeQuery } from './query.js'

const decoded = (query: Record<string, unknown>) => decodeURIComponent(encodeQuery(query))

test('a query without parameters is nothing at all', () => {
  assert.equal(encodeQuery(), '')
  assert.equal(encodeQuery({ q: undefined, title: null, id: [] }), '')
})

test('arrays repeat their name with brackets', () => {
  assert.equal(decoded({ keywords: ['a', 'b'], featured: true }), '?keywords[]=a&keywords[]=b&featured=true')
})

test('objects nest by key, and arrays within them keep their brackets', () => {
  assert.equal(
    decoded({ category: { Genre: 'Drama' }, 'category!': { Mood: ['Dark', 'Slow'] } }),
    '?category[Genre]=Drama&category![Mood][]=Dark&category![Mood][]=Slow',
  )
})

test('dates are sent as ISO 8601', () => {
  const day = new Date('2024-05-01T12:00:00.000Z')
  assert.equal(decoded({ 'created_at.gte': day }), '?created_at.gte=2024-05-01T12:00:00.000Z')
})

test('response_fields is one value, separated by commas', () => {
  assert.equal(decoded({ response_fields: ['_id', 'title'] }), '?response_fields=_id,title')
})

test('values that would break a query string survive it', () => {
  const title = 'Tom & Jerry = 100% + [más] #1?'
  assert.equal(new URLSearchParams(encodeQuery({ title })).get('title'), title)
})
