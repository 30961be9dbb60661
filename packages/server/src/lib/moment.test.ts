import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMoment } from './moment.js'

const read = (value: unknown) => readMoment(value)?.at.toISOString()

test('ISO 8601 is read with or without zone, fraction, colon and T', () => {
  const same = [
    '2024-02-29T10:30:00.000Z',
    '2024-02-29 10:30',
    '2024-02-29T10:30:00',
    '2024-02-29T12:30:00+02:00',
    '2024-02-29T12:30:00 0200',
    '2024-02-29 10:30:00 UTC',
    '2024-02-29 12:30 02:00',
    '2024-02-29T12:30:00.000 0200',
    ' 2024-02-29T10:30:00,000Z ',
    '2024-02-29t10:30z',
  ]
  for (const text of same) assert.equal(read(text), '2024-02-29T10:30:00.000Z', text)
})

test('seconds since 1970 are read as numbers and as text', () => {
  assert.equal(read(1_709_202_600), '2024-02-29T10:30:00.000Z')
  assert.equal(read('1709202600.5'), '2024-02-29T10:30:00.500Z')
  assert.equal(read('-1'), '1969-12-31T23:59:59.000Z')
})

test('a bare date means the whole day', () => {
  assert.deepEqual(readMoment('2024-02-29'), { at: new Date('2024-02-29T00:00:00Z'), day: true })
  assert.equal(readMoment('2024-02-29T00:00')?.day, false)
})

test('values that are not moments, or that cannot be stored, are refused', () => {
  const wrong = [
    '',
    'now',
    '2024-13-01',
    '2024-02-30',
    '2023-02-29T00:00Z',
    '2024-01-01T24:61',
    '0000-01-01',
    '+275760-09-13',
    '1'.repeat(13),
    '2024-01-01T00:00+99:99',
    1e15,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    {},
    [],
  ]
  for (const value of wrong) assert.equal(readMoment(value), undefined, String(value))
})
