import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from './catalog.js'
import { flag, integer, list, text } from './fields.js'
import { filterParameters, hidingField, searchFields, sortFields } from './parameters.js'
import { defineResource, type Resource } from './resource.js'

const songs = defineResource({
  name: 'song',
  plural: 'songs',
  about: 'A song.',
  access: {},
  fields: {
    title: text({ about: 'x', required: true, filter: ['is', 'not'], search: true, sort: true }),
    rank: integer({ about: 'x', filter: ['range'] }),
    tags: list(text({ about: 'x' }), {
      about: 'x',
      item: 'tag',
      filter: ['any', 'or', 'all'],
      filterAs: ['tag', 'label'],
    }),
    shown: flag({ about: 'x', default: true, hides: true }),
    secret: text({ about: 'x' }),
  },
})

test('each declared test is a parameter with its suffix, under every name of the filter', () => {
  const named = filterParameters(songs).filter(({ name }) =>
    Object.hasOwn({ title: 1, rank: 1, tags: 1 }, name),
  )
  assert.deepEqual(
    named.map(({ parameter, comparison }) => `${parameter} ${comparison}`),
    [
      'title is',
      'title! not',
      'rank.gt gt',
      'rank.gte gte',
      'rank.lt lt',
      'rank.lte lte',
      'tag any',
      'tag_or or',
      'tag_and all',
      'label any',
      'label_or or',
      'label_and all',
    ],
  )
})

test('undeclared fields can be neither filtered nor sorted nor searched by', () => {
  assert.ok(!filterParameters(songs).some(({ name }) => name === 'secret'))
  assert.deepEqual(sortFields(songs), ['created_at', 'updated_at', 'title'])
  assert.deepEqual(searchFields(songs), ['title'])
  assert.equal(hidingField(songs), 'shown')
  assert.equal(hidingField(catalog.apps), undefined)
})

test('no two filters of a resource have the same parameter', () => {
  for (const resource of Object.values(catalog)) {
    const names = filterParameters(resource).map(({ parameter }) => parameter)
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    )
  }
})

test('what can be included is named by a field with its ids, or is inside of the record', () => {
  for (const { plural, includes, fields } of Object.values<Resource>(catalog))
    for (const [name, key] of Object.entries(includes)) {
      const { within, derived }: Resource = catalog[key as keyof typeof catalog]
      const isNamed = `${name}_id` in fields || `${name.replace(/s$/, '')}_ids` in fields
      assert.ok(isNamed || (within?.plural === plural && !derived), `${plural} ${name}`)
    }
})
