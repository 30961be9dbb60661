/**
 * A box of an MP4: its header begins at `start`, its contents at `start + 8` (fields of a full box at `start
 * + 12`).
 */
export interface Box {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** The sibling boxes between two offsets. A box with a wrong length ends the list. */
export function boxesOf(buffer: Buffer, start = 0, end = buffer.length): Box[] {
  const found: Box[] = []
  let at = start
  while (at + 8 <= end) {
    const length = buffer.readUInt32BE(at)
    if (length < 8 || at + length > end) break
    found.push({ type: buffer.toString('latin1', at + 4, at + 8), start: at, end: at + length })
    at += length
  }
  return found
}

/** The first box on a path of types, `['mdia', 'mdhd']`, inside another or in the whole buffer. */
export function findBox(buffer: Buffer, path: readonly string[], inside?: Box): Box | undefined {
  let found: Box | undefined
  let [start, end] = inside ? [inside.start + 8, inside.end] : [0, buffer.length]
  for (const type of path) {
    found = boxesOf(buffer, start, end).find((box) => box.type === type)
    if (!found) return undefined
    ;[start, end] = [found.start + 8, found.end]
  }
  return found
}

export function makeBox(type: string, ...contents: readonly Buffer[]): Buffer {
  const length = contents.reduce((sum, part) => sum + part.length, 8)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...contents], length)
}

export function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value >>> 0, 4 * index)
  return buffer
}

/** One frame of a track. */
export interface Sample {
  readonly size: number
  readonly duration: number
  readonly flags: number
  /** From decode time to display time, in ticks. */
  readonly offset: number
}

/** A `moof` with its `mdat`, of one track. */
export interface Mp4Fragment {
  readonly baseTime: number
  readonly samples: readonly Sample[]
  readonly data: Buffer
}

export const keySample = 0x02000000

const mostSamples = 100_000

/** Parses a fragment as ffmpeg writes it: one track, one run. */
export function readFragment(moof: Buffer, mdat: Buffer): Mp4Fragment {
  const [header, time, run] = ['tfhd', 'tfdt', 'trun'].map((type) => findBox(moof, ['moof', 'traf', type]))
  if (!header || !time || !run) throw new Error('A fragment lacks its header, its time or its samples.')
  const usual = readDefaults(moof, header)
  const flags = moof.readUIntBE(run.start + 9, 3)
  const count = moof.readUInt32BE(run.start + 12)
  if (count > mostSamples) throw new Error(`A fragment has ${count} samples.`)
  let at = run.start + 16
  const next = (bit: number, otherwise: number) => {
    if (!(flags & bit)) return otherwise
    at += 4
    return moof.readInt32BE(at - 4)
  }
  next(0x1, 0)
  const first = next(0x4, usual.flags)
  const samples = Array.from({ length: count }, (_, index) => ({
    duration: next(0x100, usual.duration),
    size: next(0x200, usual.size),
    flags: next(0x400, index === 0 ? first : usual.flags) >>> 0,
    offset: next(0x800, 0),
  }))
  const data = mdat.subarray(8)
  if (at > run.end || samples.reduce((sum, { size }) => sum + size, 0) !== data.length)
    throw new Error('The samples of a fragment do not match its data.')
  return { baseTime: readTime(moof, time), samples, data }
}

const readTime = (moof: Buffer, time: Box) =>
  moof[time.start + 8] === 1
    ? Number(moof.readBigInt64BE(time.start + 12))
    : moof.readUInt32BE(time.start + 12)

function readDefaults(moof: Buffer, header: Box) {
  const flags = moof.readUIntBE(header.start + 9, 3)
  let at = header.start + 16
  const next = (bit: number, bytes: number) => {
    if (!(flags & bit)) return 0
    at += bytes
    return bytes === 4 ? moof.readUInt32BE(at - 4) : 0
  }
  next(0x1, 8)
  next(0x2, 4)
  return { duration: next(0x8, 4), size: next(0x10, 4), flags: next(0x20, 4) }
}

/** Writes a fragment in canonical form, so that equal frames are equal bytes. */
export function writeFragment({ baseTime, samples, data }: Mp4Fragment, sequence: number): Buffer {
  const time = Buffer.alloc(12)
  time[0] = 1
  time.writeBigUInt64BE(BigInt(baseTime), 4)
  const runFlags = 0x01000f01
  const table = Buffer.alloc(samples.length * 16)
  for (const [index, { duration, size, flags, offset }] of samples.entries()) {
    table.writeUInt32BE(duration, index * 16)
    table.writeUInt32BE(size, index * 16 + 4)
    table.writeUInt32BE(flags, index * 16 + 8)
    table.writeInt32BE(offset, index * 16 + 12)
  }
  const moof = (dataOffset: number) =>
    makeBox(
      'moof',
      makeBox('mfhd', words(0, sequence)),
      makeBox(
        'traf',
        makeBox('tfhd', words(0x020000, 1)),
        makeBox('tfdt', time),
        makeBox('trun', words(runFlags, samples.length, dataOffset), table),
      ),
    )
  return Buffer.concat([moof(moof(0).length + 8), makeBox('mdat', data)])
}

/** The end of the first sample in a fragment written here. */
export function firstSampleEnd(fragment: Buffer): number {
  const run = findBox(fragment, ['moof', 'traf', 'trun'])
  if (!run) throw new Error('A segment has no samples.')
  return fragment.readUInt32BE(run.start + 16) + fragment.readUInt32BE(run.start + 24)
}

/** Joins consecutive fragments into one. */
export const joinFragments = (parts: readonly Mp4Fragment[]): Mp4Fragment => ({
  baseTime: parts[0]?.baseTime ?? 0,
  samples: parts.flatMap(({ samples }) => samples),
  data: Buffer.concat(parts.map(({ data }) => data)),
})

/** Ticks per second of the first track in an init segment. */
export function timescaleOf(init: Buffer): number {
  const header = findBox(init, ['moov', 'trak', 'mdia', 'mdhd'])
  if (!header) throw new Error('An init segment has no track.')
  return init.readUInt32BE(header.start + (init[header.start + 8] === 1 ? 28 : 20))
}
