import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { sql } from '../db/fragment.js'
import { aboutFilter, countedMatches, createBroadFilters } from './broad-filters.js'

const featured = (site: string) => sql`site_id = ${site} and featured`

test('a filter that matched many records is known as broad, with the same values only', () => {
  const filters = createBroadFilters()
  assert.equal(aboutFilter(filters, featured('a')).wasBroad, false)
  aboutFilter(filters, featured('a')).note({ total: countedMatches, version: 7 })
  const known = aboutFilter(filters, featured('a'))
  assert.deepEqual([known.wasBroad, known.isBroadAt(7), known.isBroadAt(900)], [true, true, true])
  assert.equal(aboutFilter(filters, featured('b')).wasBroad, false)
  assert.equal(aboutFilter(filters, sql`site_id = ${'a'} and not featured`).wasBroad, false)
})

test('it is counted again after as many changes as could bring it below the limit', () => {
  const filters = createBroadFilters()
  aboutFilter(filters, featured('a')).note({ total: countedMatches, version: 7 })
  assert.equal(aboutFilter(filters, featured('a')).isBroadAt(1007), false)
  aboutFilter(filters, featured('a')).note({ total: countedMatches - 1, version: 1007 })
  assert.equal(aboutFilter(filters, featured('a')).wasBroad, false)
})

test('it is counted again after a minute', () => {
  const filters = createBroadFilters()
  aboutFilter(filters, featured('a')).note({ total: countedMatches, version: 7 })
  const now = Date.now()
  const clock = mock.method(Date, 'now', () => now + 60_000)
  assert.equal(aboutFilter(filters, featured('a')).wasBroad, false)
  clock.mock.restore()
})

test('very long filters are not kept', () => {
  const filters = createBroadFilters()
  const long = sql`title = any(${['x'.repeat(5000)]})`
  aboutFilter(filters, long).note({ total: countedMatches, version: 1 })
  assert.deepEqual([aboutFilter(filters, long).wasBroad, filters.entries()], [false, []])
})
