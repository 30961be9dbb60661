import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choice, flag, integer, list, money, text, timestamp } from './fields.js'
import { fieldSchema, inputSchema, recordSchema } from './json-schema.js'
import { defineResource } from './resource.js'

const songs = defineResource({
  name: 'song',
  plural: 'songs',
  about: 'A song.',
  access: {},
  fields: {
    title: text({ about: 'Its title.', required: true }),
    rank: integer({ about: 'Its rank.', default: 3 }),
    note: text({ about: 'A note.' }),
    plays: integer({ about: 'How often.', computed: true }),
  },
})

test('a field may be null unless it is required, defaulted, always there, or a list', () => {
  assert.deepEqual(fieldSchema(text({ about: 'x', maxLength: 5 })), {
    type: ['string', 'null'],
    maxLength: 5,
  })
  assert.deepEqual(fieldSchema(text({ about: 'x', required: true })), {
    type: 'string',
    minLength: 1,
    pattern: '\\S',
    maxLength: 255,
  })
  assert.deepEqual(fieldSchema(flag({ about: 'x' })), { type: 'boolean' })
  assert.deepEqual(fieldSchema(choice(['a', 'b'], { about: 'x' })), { enum: ['a', 'b', null] })
  assert.deepEqual(fieldSchema(choice(['a', 'b'], { about: 'x', default: 'a' })), { enum: ['a', 'b'] })
  assert.equal(fieldSchema(timestamp({ about: 'x', always: true })).type, 'string')
  assert.equal(fieldSchema(list(text({ about: 'x' }), { about: 'x', item: 'y' })).type, 'array')
  assert.deepEqual(fieldSchema(money({ about: 'x' })).type, ['string', 'null'])
})

test('a create needs the required fields, an update none, and neither takes computed ones', () => {
  const created = inputSchema(songs, 'create')
  assert.deepEqual(created.required, ['title'])
  assert.deepEqual(Object.keys(created.properties as object), ['title', 'rank', 'note'])
  assert.equal(inputSchema(songs, 'update').required, undefined)
})

test('a record always has every field', () => {
  const record = recordSchema(songs)
  assert.deepEqual(record.required, Object.keys(record.properties as object))
  assert.ok((record.required as string[]).includes('plays') && (record.required as string[]).includes('_id'))
})
