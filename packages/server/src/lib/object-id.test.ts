import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isId, newId } from './object-id.js'

test('ids have the documented form, never repeat, and begin with their second', () => {
  const ids = Array.from({ length: 10_000 }, () => newId())
  assert.ok(ids.every(isId))
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(newId(1_709_202_600_999).slice(0, 8), '65e05ca8')
})

test('an id made in a later second sorts after all earlier ids', () => {
  assert.ok(newId(2_000) > newId(1_999))
  assert.ok(newId(Date.UTC(2100, 0)) > newId(Date.UTC(2099, 0)))
})

test('only 24 lower-case hexadecimal digits are an id', () => {
  const id = newId()
  for (const wrong of ['', id.slice(1), `${id}0`, id.replace(/.$/, 'g'), `${id}\n`, ` ${id}`, 'A'.repeat(24)])
    assert.equal(isId(wrong), false, wrong)
})
