import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTimeZone } from './time-zone.js'

test('local time converts to a moment and back, on both sides of a clock change', () => {
  const paris = findTimeZone('Europe/Paris')
  const read = (shown: string) => new Date(paris?.momentOf(Date.parse(`${shown}Z`)) ?? 0).toISOString()
  assert.equal(read('2026-07-01T12:00:00'), '2026-07-01T10:00:00.000Z')
  assert.equal(read('2026-03-29T01:59:00'), '2026-03-29T00:59:00.000Z')
  assert.equal(read('2026-03-29T03:00:00'), '2026-03-29T01:00:00.000Z')
  assert.equal(read('2026-10-25T03:00:00'), '2026-10-25T02:00:00.000Z')
  assert.equal(paris?.written(Date.parse('2026-03-29T01:00:00Z')), '2026-03-29T03:00:00.000+02:00')
  const kolkata = findTimeZone('Asia/Kolkata')
  assert.equal(kolkata?.written(Date.parse('2026-01-01T00:00:00Z')), '2026-01-01T05:30:00.000+05:30')
  const york = findTimeZone('America/New_York')
  assert.equal(york?.written(Date.parse('2026-01-01T00:00:00Z')), '2025-12-31T19:00:00.000-05:00')
  assert.equal(findTimeZone('UTC')?.written(0), '1970-01-01T00:00:00.000+00:00')
})

test('an unknown zone name returns undefined', () => {
  for (const name of ['', 'Europe/Nowhere', 'x'.repeat(64)]) assert.equal(findTimeZone(name), undefined)
})
