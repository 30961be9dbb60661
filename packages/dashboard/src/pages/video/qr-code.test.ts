import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qrCode } from './qr-code.js'
import { startingAt } from './share-address.js'

const flips: readonly ((row: number, column: number) => number)[] = [
  (row, column) => (row + column) % 2,
  (row) => row % 2,
  (_row, column) => column % 3,
  (row, column) => (row + column) % 3,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2,
  (row, column) => ((row * column) % 2) + ((row * column) % 3),
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2,
]

/** Whether a module of version 1 or 2 has data. */
const isData = (size: number, row: number, column: number) =>
  ![row, column].includes(6) &&
  !(row < 9 && (column < 9 || column > size - 9)) &&
  !(row > size - 9 && column < 9) &&
  !(size > 21 && Math.abs(row - size + 7) < 3 && Math.abs(column - size + 7) < 3)

/** Reads a code of version 1 or 2, whose data is one block, the way a camera does. */
function readBack(rows: readonly (readonly boolean[])[]): string {
  const size = rows.length
  const at = (row: number, column: number) => (rows[row]?.[column] ? 1 : 0)
  const mask = (at(8, 2) << 2) | (at(8, 3) << 1) | at(8, 4)
  const flip = flips[mask ^ 0b101]
  assert.ok(flip)
  const columns = [...Array(size).keys()].filter((column) => column !== 6).reverse()
  const inOrder = columns.flatMap((_, index) =>
    [...Array(size).keys()].flatMap((step) => {
      const row = index % 4 === 0 ? size - 1 - step : step
      return index % 2 === 0 ? columns.slice(index, index + 2).map((column) => [row, column] as const) : []
    }),
  )
  const bits = inOrder
    .filter(([row, column]) => isData(size, row, column))
    .map(([row, column]) => at(row, column) ^ Number(flip(row, column) === 0))
  const numberAt = (from: number, length: number) =>
    Number.parseInt(bits.slice(from, from + length).join(''), 2)
  assert.equal(numberAt(0, 4), 4)
  const bytes = Array.from({ length: numberAt(4, 8) }, (_, index) => numberAt(12 + index * 8, 8))
  return new TextDecoder().decode(new Uint8Array(bytes))
}

test('what is written into a code can be read from it', () => {
  for (const text of ['a', 'https://a.example/', 'Zoë & “gulls”', 'https://a.example/watch/1']) {
    const rows = qrCode(text)
    assert.equal(readBack(rows), text)
  }
})

test('a code is as large as its text needs, and a text can be too long', () => {
  const sizeOf = (length: number) => qrCode('x'.repeat(length)).length
  assert.deepEqual([14, 15, 122, 123, 213, 214, 666].map(sizeOf), [21, 25, 45, 49, 57, 61, 97])
  assert.throws(() => qrCode('x'.repeat(667)), /too long/)
})

test('a link that starts later has the time in it', () => {
  assert.equal(startingAt('https://a.example/watch/1', 0.4), 'https://a.example/watch/1')
  assert.equal(startingAt('https://a.example/watch/1', 90), 'https://a.example/watch/1?t=1m30s')
  assert.equal(
    startingAt('https://a.example/watch/1?start=4&muted=true', 3600),
    'https://a.example/watch/1?muted=true&t=1h',
  )
})
