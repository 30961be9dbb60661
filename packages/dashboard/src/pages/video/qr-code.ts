/**
 * QR codes after ISO/IEC 18004: bytes, error correction level M, versions 1 to 20, which hold up to 666 bytes. Enough for
 * addresses, and small enough not to need a library.
 */

/** Per version, from 1: codewords of error correction in each block, and the number of blocks, at level M. */
const correction = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
const blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

/** All codewords of a version: the modules that are neither a pattern nor information about the code, in bytes. */
function capacityOf(version: number): number {
  const aligned = version === 1 ? 0 : Math.floor(version / 7) + 2
  const patterns = version === 1 ? 0 : (25 * aligned - 10) * aligned - 55
  const modules = (16 * version + 128) * version + 64 - patterns - (version >= 7 ? 36 : 0)
  return Math.floor(modules / 8)
}

const dataOf = (version: number): number =>
  capacityOf(version) - (correction[version - 1] ?? 0) * (blocks[version - 1] ?? 0)

/** Multiplies in the field of 256 elements with the polynomial 0x11d. */
function multiply(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    if ((other >> bit) & 1) product ^= one
  }
  return product
}

/** The Reed–Solomon remainder of the data. */
export function correctionFor(data: readonly number[], length: number): number[] {
  let divisor = [1]
  for (let power = 0, root = 1; power < length; power += 1, root = multiply(root, 2))
    divisor = [...divisor, 0].map((each, index) => each ^ multiply(divisor[index - 1] ?? 0, root))
  const remainder: number[] = new Array(length).fill(0)
  for (const byte of data) {
    const factor = byte ^ (remainder.shift() ?? 0)
    remainder.push(0)
    for (const index of remainder.keys())
      remainder[index] = (remainder[index] ?? 0) ^ multiply(divisor[index + 1] ?? 0, factor)
  }
  return remainder
}

const bitsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => (value >> (length - 1 - index)) & 1)

/** The data with its mode and length, filled up to the capacity. */
function codewordsFor(bytes: readonly number[], version: number): number[] {
  const bits = [
    0,
    1,
    0,
    0,
    ...bitsOf(bytes.length, version < 10 ? 8 : 16),
    ...bytes.flatMap((byte) => bitsOf(byte, 8)),
  ]
  const room = dataOf(version) * 8
  bits.push(...new Array(Math.min(4, room - bits.length)).fill(0))
  bits.push(...new Array((8 - (bits.length % 8)) % 8).fill(0))
  for (let filler = 0xec; bits.length < room; filler ^= 0xec ^ 0x11) bits.push(...bitsOf(filler, 8))
  return Array.from({ length: room / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  )
}

/** Splits the data into blocks, adds the correction of each, and mixes them. The last blocks may be longer by one. */
function interleaved(data: readonly number[], version: number): number[] {
  const [count, length] = [blocks[version - 1] ?? 1, correction[version - 1] ?? 0]
  const short = Math.floor(data.length / count)
  const firstLong = count - (data.length % count)
  const parts = Array.from({ length: count }, (_, index) => {
    const from = index * short + Math.max(0, index - firstLong)
    return data.slice(from, from + short + (index >= firstLong ? 1 : 0))
  })
  const column = (lists: readonly (readonly number[])[], width: number) =>
    Array.from({ length: width }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
  return [
    ...column(parts, short + 1),
    ...column(
      parts.map((part) => correctionFor(part, length)),
      length,
    ),
  ]
}

type Grid = (boolean | undefined)[][]

/** The centres of the alignment patterns, in both directions. */
export function alignmentsOf(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const last = version * 4 + 10
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - step * (count - 2 - index))]
}

/** Draws squares around a centre: `isDark` knows them by their distance from it. */
function square(
  grid: Grid,
  row: number,
  column: number,
  reach: number,
  isDark: (distance: number) => boolean,
): void {
  for (let down = -reach; down <= reach; down += 1)
    for (let right = -reach; right <= reach; right += 1) {
      const line = grid[row + down]
      const isInside = line !== undefined && column + right >= 0 && column + right < line.length
      if (isInside) line[column + right] = isDark(Math.max(Math.abs(down), Math.abs(right)))
    }
}

/** Value and remainder of a BCH code, whose divisor has the given length. */
function withRemainder(value: number, divisor: number, length: number): number {
  let rest = value << length
  for (let bit = 31 - Math.clz32(rest); bit >= length; bit -= 1)
    if ((rest >> bit) & 1) rest ^= divisor << (bit - length)
  return (value << length) | rest
}

/** The 15 bits that tell level M and the mask. */
export const formatBits = (mask: number): number => withRemainder(mask, 0x537, 10) ^ 0x5412
/** The 18 bits that tell the version. */
export const versionBits = (version: number): number => withRemainder(version, 0x1f25, 12)

const put = (grid: Grid, row: number, column: number, bit: number) => {
  const line = grid[row]
  if (line) line[column] = bit === 1
}

function drawFormat(grid: Grid, mask: number): void {
  const size = grid.length
  const bits = bitsOf(formatBits(mask), 15).reverse()
  for (const [index, bit] of bits.entries()) {
    // Once around the first finder, and once beside the other two.
    if (index < 8) put(grid, index < 6 ? index : index + 1, 8, bit)
    else put(grid, 8, index === 8 ? 7 : 14 - index, bit)
    if (index < 8) put(grid, 8, size - 1 - index, bit)
    else put(grid, size - 15 + index, 8, bit)
  }
  put(grid, size - 8, 8, 1)
}

/** Finders stand in three corners. */
const isInFinder = (row: number, column: number, size: number): boolean =>
  (row === 6 && (column === 6 || column === size - 7)) || (row === size - 7 && column === 6)

/** Everything but the data. */
function drawPatterns(version: number): Grid {
  const size = version * 4 + 17
  const grid: Grid = Array.from({ length: size }, () => new Array(size).fill(undefined))
  for (let at = 0; at < size; at += 1) {
    put(grid, 6, at, (at + 1) % 2)
    put(grid, at, 6, (at + 1) % 2)
  }
  const places = alignmentsOf(version)
  for (const row of places)
    for (const column of places) {
      if (!isInFinder(row, column, size)) square(grid, row, column, 2, (distance) => distance !== 1)
    }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(grid, row, column, 4, (distance) => distance !== 2 && distance !== 4)
  drawFormat(grid, 0)
  for (const [index, bit] of version < 7 ? [] : bitsOf(versionBits(version), 18).reverse().entries()) {
    const [far, near] = [size - 11 + (index % 3), Math.floor(index / 3)]
    put(grid, near, far, bit)
    put(grid, far, near, bit)
  }
  return grid
}

/** The modules for data, in their order: in columns of two, upwards and downwards in turn, without the timing column. */
function free(grid: Grid): (readonly [row: number, column: number])[] {
  const downwards = [...grid.keys()]
  const upwards = downwards.toReversed()
  const columns = upwards.filter((column) => column !== 6)
  const isFree = (row: number, column: number) => grid[row]?.[column] === undefined
  return columns
    .filter((_, index) => index % 2 === 0)
    .flatMap((_right, pair) => {
      const both = columns.slice(pair * 2, pair * 2 + 2)
      return (pair % 2 === 0 ? upwards : downwards).flatMap((row) =>
        both.filter((column) => isFree(row, column)).map((column) => [row, column] as const),
      )
    })
}

const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

/** How much a code could confuse a reader: long runs, blocks, shapes like a finder, and too much of one colour. */
function penaltyOf(grid: readonly (readonly boolean[])[]): number {
  const across = grid.map((row) => row.map((dark) => (dark ? '1' : '0')).join(''))
  const down = grid.map((_, column) => across.map((row) => row[column]).join(''))
  const lines = [...across, ...down]
  const runs = lines
    .flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? [])
    .reduce((sum, { length }) => sum + length - 2, 0)
  const shapes = lines.reduce(
    (sum, line) => sum + (line.match(/(?=10111010000|00001011101)/g)?.length ?? 0),
    0,
  )
  const pairs = across
    .slice(1)
    .map(
      (row, index) =>
        [...row].filter(
          (cell, column) =>
            column > 0 &&
            [row[column - 1], across[index]?.[column], across[index]?.[column - 1]].every(
              (other) => other === cell,
            ),
        ).length,
    )
  const dark = across.join('').replaceAll('0', '').length / grid.length ** 2
  return (
    runs +
    shapes * 40 +
    pairs.reduce((sum, count) => sum + count * 3, 0) +
    Math.floor(Math.abs(dark - 0.5) * 20) * 10
  )
}

/** The modules of a QR code with this text, row by row; true is dark. */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  const bytes = [...new TextEncoder().encode(text)]
  const version =
    correction.findIndex((_, index) => dataOf(index + 1) >= bytes.length + (index < 9 ? 2 : 3)) + 1
  if (version === 0) throw new Error('This text is too long for a QR code.')
  const bits = interleaved(codewordsFor(bytes, version), version).flatMap((byte) => bitsOf(byte, 8))
  const patterns = drawPatterns(version)
  const places = free(patterns)
  const masked = masks.map((isFlipped, mask) => {
    const grid = patterns.map((row) => [...row])
    for (const [index, [row, column]] of places.entries())
      put(grid, row, column, (bits[index] ?? 0) ^ Number(isFlipped(row, column)))
    drawFormat(grid, mask)
    return grid.map((row) => row.map((cell) => cell === true))
  })
  const penalties = masked.map(penaltyOf)
  return masked[penalties.indexOf(Math.min(...penalties))] ?? []
}
