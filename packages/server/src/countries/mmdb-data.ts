/** Limits for nesting and for values per record; no valid file exceeds them. */
const deepest = 32
const mostValues = 10_000

const pointerBases = [0, 2048, 526_336] as const

interface MmdbCursor {
  at: number
  values: number
}

/** Decodes values of a MaxMind DB data section by their offset. Throws if they are malformed. */
export function createMmdbDecoder(data: Buffer): (at: number) => unknown {
  const byte = (reading: MmdbCursor): number => {
    const value = data[reading.at]
    if (value === undefined) throw new Error('its data ends before it should')
    reading.at += 1
    return value
  }
  const uint = (reading: MmdbCursor, length: number): number => {
    let value = 0
    for (let each = 0; each < length; each += 1) value = value * 256 + byte(reading)
    return value
  }
  const bytes = (reading: MmdbCursor, length: number): Buffer => {
    if (reading.at + length > data.length) throw new Error('its data ends before it should')
    reading.at += length
    return data.subarray(reading.at - length, reading.at)
  }

  /** Sizes of 29 and above continue in the following bytes. */
  const sizeIn = (reading: MmdbCursor, control: number): number => {
    const size = control & 31
    if (size < 29) return size
    const length = size - 28
    return ([29, 285, 65_821][length - 1] as number) + uint(reading, length)
  }

  const pointerIn = (reading: MmdbCursor, control: number): number => {
    const length = (control >> 3) & 3
    if (length === 3) return uint(reading, 4)
    return (pointerBases[length] ?? 0) + (control & 7) * 256 ** (length + 1) + uint(reading, length + 1)
  }

  function read(reading: MmdbCursor, depth: number): unknown {
    reading.values += 1
    if (depth > deepest || reading.values > mostValues) throw new Error('its data leads round in circles')
    const control = byte(reading)
    const type = control >> 5 || byte(reading) + 7
    if (type === 1) {
      const inside = { at: pointerIn(reading, control), values: reading.values }
      const value = read(inside, depth + 1)
      reading.values = inside.values
      return value
    }
    return readers[type]?.(reading, sizeIn(reading, control), depth)
  }

  const readers: Readonly<Record<number, (reading: MmdbCursor, size: number, depth: number) => unknown>> = {
    2: (reading, size) => bytes(reading, size).toString('utf8'),
    3: (reading, size) => (size === 8 ? bytes(reading, size).readDoubleBE() : bytes(reading, size)),
    4: bytes,
    5: uint,
    6: uint,
    7(reading, size, depth) {
      const entries = Array.from({ length: Math.min(size, mostValues) }, () => {
        const key = String(read(reading, depth + 1))
        return [key, read(reading, depth + 1)] as const
      })
      return Object.fromEntries(entries)
    },
    8: (reading, size) => uint(reading, size) | 0,
    9: uint,
    10: (reading, size) => bytes(reading, size),
    11: (reading, size, depth) =>
      Array.from({ length: Math.min(size, mostValues) }, () => read(reading, depth + 1)),
    14: (_reading, size) => size === 1,
    15: (reading, size) => (size === 4 ? bytes(reading, size).readFloatBE() : bytes(reading, size)),
  }

  return (at) => read({ at, values: 0 }, 0)
}
