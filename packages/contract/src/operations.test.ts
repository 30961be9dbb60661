import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allows, coversScope, kindsAllowed, scopeFor } from './callers.js'
import { catalog } from './catalog.js'
import { password, text } from './fields.js'
import { inputSchema, recordSchema } from './json-schema.js'
import { actionPath, actsOnMember, documentedPath, pathOf } from './operations.js'
import { shownFields } from './parameters.js'
import { defineResource, parentField, type Resource } from './resource.js'

const singers = defineResource({
  name: 'singer',
  plural: 'singers',
  about: 'A singer.',
  access: { app: ['create'], read_only: 'read' },
  fields: {
    name: text({ about: 'x', required: true }),
    password: password({ about: 'x' }),
  },
  actions: {
    wake: { method: 'POST', about: 'x', access: { consumer: true } },
    greet: { method: 'PUT', on: 'collection', about: 'x', access: {}, answers: 'message' },
  },
})
const songs = defineResource({
  name: 'song',
  plural: 'songs',
  about: 'A song.',
  path: 'tunes',
  access: {},
  within: singers,
  fields: {},
})

test('a nested resource follows its parent in the path, under its own or its given name', () => {
  assert.equal(parentField(singers), 'singer_id')
  assert.equal(pathOf(songs, 'list'), '/singers/:parent_id/tunes')
  assert.equal(pathOf(songs, 'remove'), '/singers/:parent_id/tunes/:id')
  assert.equal(documentedPath(songs, pathOf(songs, 'get')), '/singers/{singer_id}/tunes/{id}')
  assert.equal(documentedPath(singers, pathOf(singers, 'get')), '/singers/{id}')
})

test('a resource nested twice names both parents', () => {
  const lines = defineResource({
    name: 'line',
    plural: 'lines',
    about: 'x',
    access: {},
    within: songs,
    fields: {},
  })
  assert.equal(pathOf(lines, 'get'), '/singers/:grandparent_id/tunes/:parent_id/lines/:id')
  assert.equal(documentedPath(lines, pathOf(lines, 'get')), '/singers/{singer_id}/tunes/{song_id}/lines/{id}')
})

test('an action names a record unless it is of the collection or of a single resource', () => {
  assert.equal(actionPath(singers, 'wake'), '/singers/:id/wake')
  assert.equal(actionPath(singers, 'greet'), '/singers/greet')
  assert.equal(actionPath(catalog.pin, 'acquire'), '/pin/acquire')
  assert.deepEqual(
    [actsOnMember(singers, 'wake'), actsOnMember(singers, 'greet'), actsOnMember(catalog.pin, 'acquire')],
    [true, false, false],
  )
})

test('a caller may do what its list names, and an action only where the action says so', () => {
  assert.deepEqual(kindsAllowed(singers, 'create'), ['admin', 'named', 'app'])
  assert.deepEqual(kindsAllowed(singers, 'list'), ['admin', 'named', 'read_only'])
  assert.deepEqual(kindsAllowed(singers, 'wake'), ['admin', 'named', 'consumer'])
  assert.deepEqual(kindsAllowed(singers, 'greet'), ['admin', 'named'])
  for (const unknown of ['toString', '__proto__', 'purge'])
    for (const kind of ['app', 'named'] as const) assert.equal(allows(kind, singers, unknown), false)
})

test('a named key needs the scope of the outermost resource, to read or to write', () => {
  const keptBack = (namedKeys: 'read' | 'write' | 'never') => ({ ...songs, namedKeys })
  assert.deepEqual(
    [scopeFor(singers, 'list'), scopeFor(singers, 'wake'), scopeFor(songs, 'get'), scopeFor(songs, 'remove')],
    ['singers:read', 'singers:write', 'singers:read', 'singers:write'],
  )
  const both = (resource: Resource) => [scopeFor(resource, 'list'), scopeFor(resource, 'create')]
  assert.deepEqual(both(keptBack('read')), ['singers:read', undefined])
  assert.deepEqual(both(keptBack('write')), ['singers:write', 'singers:write'])
  assert.deepEqual(both(keptBack('never')), [undefined, undefined])
  const granted = ['singers:read', '*:write']
  assert.deepEqual(
    ['singers:read', 'songs:read', 'songs:write'].map((needed) => coversScope(granted, needed)),
    [true, false, true],
  )
})

test('a password can be written but is in no record', () => {
  const written = inputSchema(singers, 'create').properties as Record<string, { writeOnly?: boolean }>
  assert.equal(written.password?.writeOnly, true)
  assert.ok(!Object.hasOwn(recordSchema(singers).properties as object, 'password'))
  assert.deepEqual(shownFields(singers), ['_id', 'site_id', 'created_at', 'updated_at', 'name'])
})
