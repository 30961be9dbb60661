import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clashesOf } from './clashes.js'

const names = (...args: Parameters<typeof clashesOf>) => clashesOf(...args).map(({ name }) => name)

test('a field clashes if both changed it to different values', () => {
  assert.deepEqual(names({ title: 'A' }, { title: 'B' }, { title: 'C' }), ['title'])
  assert.deepEqual(names({ title: 'A' }, { title: 'B' }, { title: 'A' }), [])
  assert.deepEqual(names({ title: 'A' }, { title: 'B' }, { title: 'B' }), [])
})

test('fields that one of both changed merge by themselves', () => {
  const base = { keywords: ['a'] }
  assert.deepEqual(names(base, { keywords: ['b'] }, { keywords: ['a'], title: 'Theirs' }), [])
})

test('changes to the items of a list are compared with the list', () => {
  const base = { categories_attributes: [{ _id: '1', value: ['x'] }] }
  const theirs = { categories_attributes: [{ _id: '1', value: ['z'] }] }
  const [clash] = clashesOf(
    base,
    { categories_attributes: [{ id: '1', value: ['y'] }, { value: ['n'] }] },
    theirs,
  )
  assert.deepEqual(clash?.mine, [{ _id: '1', id: '1', value: ['y'] }, { value: ['n'] }])
  assert.deepEqual(names(base, { categories_attributes: [{ id: '1', _destroy: true }] }, base), [])
})
