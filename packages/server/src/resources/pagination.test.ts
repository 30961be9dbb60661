import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '@zoetrope/contract'
import type { Ignored } from '../lib/unknown-parameters.js'
import { pagination, readPageRequest, writeCursor } from './pagination.js'

const ask = (query: Record<string, unknown>, firstPage = 0, notice = (_: Ignored) => {}) =>
  readPageRequest(catalog.videos, { query, principal: { firstPage }, notice })

test('without parameters it is the first page of ten, newest first', () => {
  const { page, perPage, sort, order, cursor } = ask({})
  assert.deepEqual(
    { page, perPage, sort, order, cursor },
    { page: 0, perPage: 10, sort: 'created_at', order: 'desc', cursor: undefined },
  )
})

test('per_page is cut to 100; zero, negatives, fractions and words are refused', () => {
  assert.equal(ask({ per_page: '1000' }).perPage, 100)
  for (const per_page of ['0', '-1', '1.5', 'x', '1e3', ['1', '2'], '9'.repeat(16)])
    assert.throws(() => ask({ per_page }), { status: 422 })
})

test('pages count from zero, or from one where that is set; 0 is then the first too', () => {
  assert.deepEqual(
    ['', '0', '1', '7'].map((page) => ask({ page }).page),
    [0, 0, 1, 7],
  )
  assert.deepEqual(
    ['', '0', '1', '7'].map((page) => ask({ page }, 1).page),
    [0, 0, 0, 6],
  )
  for (const page of ['-1', 'x', '1.0', '1000000001']) assert.throws(() => ask({ page }), { status: 422 })
})

test('a field that cannot be sorted by and an order that is none are refused; an unknown field is ignored', () => {
  assert.equal(ask({ sort: 'title' }).order, 'asc')
  assert.equal(ask({ sort: 'title', order: 'DSC' }).order, 'desc')
  for (const query of [{ sort: 'description' }, { order: 'up' }, { sort: 'search', order: 'up' }])
    assert.throws(() => ask(query), { status: 422 })
  for (const sort of ['password', 'search', '__proto__', 'toString', 'a\r\nb', 'é'.repeat(500)]) {
    const notices: unknown[] = []
    const notice = ({ name, value, why }: Ignored) => notices.push([name, value, why()])
    const { sort: used, order } = ask({ sort, order: 'asc' }, 0, notice)
    assert.deepEqual([used, order], ['created_at', 'desc'])
    assert.deepEqual(notices, [['sort', sort, 'videos have no such field']])
  }
})

test('a cursor reads back for its own order, and for no other, and not when it was changed', () => {
  const place = { value: '2024-01-01T00:00:00.000Z', id: '0'.repeat(24), total: 12, isExact: true }
  const cursor = writeCursor(ask({}), place)
  assert.deepEqual(ask({ cursor }).cursor, place)
  for (const query of [
    { cursor, sort: 'title' },
    { cursor, order: 'asc' },
    { cursor: `${cursor}A` },
    { cursor: 'x' },
    { cursor: [cursor, cursor] },
  ])
    assert.throws(() => ask(query), { status: 422 })
})

test('the envelope says where a page stands, for every first page and at both ends', () => {
  const of = (query: Record<string, unknown>, total: number, firstPage = 0) => {
    const counted = { total, isExact: true }
    const { current, previous, next, pages } = pagination(ask(query, firstPage), counted, undefined)
    return [current, previous, next, pages]
  }
  assert.deepEqual(of({}, 0), [0, null, null, 0])
  assert.deepEqual(of({}, 10), [0, null, null, 1])
  assert.deepEqual(of({}, 11), [0, null, 1, 2])
  assert.deepEqual(of({ page: '1' }, 11), [1, 0, null, 2])
  assert.deepEqual(of({ page: '9' }, 11), [9, 8, null, 2])
  assert.deepEqual(of({ page: '2' }, 30, 1), [2, 1, 3, 3])
})
