import { type MediaSource, type OfferedFile, withBytesOf } from './media-source.js'
import { type Box, boxesOf, findBox } from './mp4-boxes.js'

/** What the boxes of an MP4 show without reading the media. */
export interface Mp4Layout {
  /** The last box ends where the file does. */
  readonly isWhole: boolean
  readonly moov?: Buffer
}

/** No real file has a longer chain of boxes. */
const mostBoxes = 100_000

export const readMp4Layout = (
  source: MediaSource,
  size: number,
  mostIndexBytes: number,
): Promise<Mp4Layout> => withBytesOf(source, (read) => walk(read, size, mostIndexBytes))

async function walk(read: OfferedFile['read'], size: number, mostIndexBytes: number): Promise<Mp4Layout> {
  let moov: Buffer | undefined
  let offset = 0
  for (let count = 0; offset + 8 <= size; count += 1) {
    const head = await read(offset, 16)
    const { type, length } = topLevelBox(head, size - offset)
    if (length < 8 || offset + length > size || count > mostBoxes) return { isWhole: false, moov }
    if (type === 'moov' && moov === undefined && length <= mostIndexBytes) moov = await read(offset, length)
    offset += length
  }
  return { isWhole: true, moov }
}

function topLevelBox(head: Buffer, rest: number): { type: string; length: number } {
  const type = head.toString('latin1', 4, 8)
  const short = head.readUInt32BE(0)
  if (short === 0) return { type, length: rest }
  if (short !== 1) return { type, length: short }
  return { type, length: head.length >= 16 ? Number(head.readBigUInt64BE(8)) : 0 }
}

/**
 * The display times of the first video track's key frames, in seconds; undefined if the index does not
 * contain them.
 */
export function keyFramesOf(moov: Buffer, most: number): number[] | undefined {
  try {
    const track = boxesOf(moov, 8).find((box) => box.type === 'trak' && isVideo(moov, box))
    return track && keyFramesOfTrack(moov, track, most)
  } catch (error) {
    // A table with a wrong length; the file may still be playable, only its key frames are unknown.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Profile, constraints and level of the first video track if it is H.264. */
export function avcOf(moov: Buffer): string | undefined {
  const track = boxesOf(moov, 8).find((box) => box.type === 'trak' && isVideo(moov, box))
  const table = track && findBox(moov, ['mdia', 'minf', 'stbl', 'stsd'], track)
  const entry = table && boxesOf(moov, table.start + 16, table.end)[0]
  // The boxes of a visual sample entry follow 78 bytes of sizes and names.
  const config = entry && boxesOf(moov, entry.start + 86, entry.end).find(({ type }) => type === 'avcC')
  return config && config.end >= config.start + 12
    ? moov.toString('hex', config.start + 9, config.start + 12)
    : undefined
}

function isVideo(moov: Buffer, track: Box): boolean {
  const handler = findBox(moov, ['mdia', 'hdlr'], track)
  return handler !== undefined && moov.toString('latin1', handler.start + 16, handler.start + 20) === 'vide'
}

function keyFramesOfTrack(moov: Buffer, track: Box, most: number): number[] | undefined {
  const table = (name: string) => findBox(moov, ['mdia', 'minf', 'stbl', name], track)
  const [header, sync, times, offsets] = [
    findBox(moov, ['mdia', 'mdhd'], track),
    table('stss'),
    table('stts'),
    table('ctts'),
  ]
  if (!header || !sync || !times) return undefined
  const count = moov.readUInt32BE(sync.start + 12)
  if (count === 0 || count > most || sync.start + 16 + count * 4 > sync.end) return undefined
  const timescale = moov.readUInt32BE(header.start + (moov[header.start + 8] === 1 ? 28 : 20))
  if (timescale === 0) return undefined

  const begin = firstShown(moov, track)
  const decoding = runs(moov, times)
  const composing = offsets ? runs(moov, offsets) : undefined
  const found: number[] = []
  for (let index = 0; index < count; index += 1) {
    const sample = moov.readUInt32BE(sync.start + 16 + index * 4) - 1
    const offset = composing ? composing.valueAt(sample) : 0
    found.push((decoding.sumBefore(sample) + offset - begin) / timescale)
  }
  return found
}

/** Where the edit list starts the track. */
function firstShown(moov: Buffer, track: Box): number {
  const list = findBox(moov, ['edts', 'elst'], track)
  if (!list) return 0
  const isLong = moov[list.start + 8] === 1
  const size = isLong ? 20 : 12
  for (let at = list.start + 16; at + size <= list.end; at += size) {
    const time = isLong ? Number(moov.readBigInt64BE(at + 8)) : moov.readInt32BE(at + 4)
    if (time >= 0) return time
  }
  return 0
}

/** A run-length table (count, value), read once from front to back. */
function runs(moov: Buffer, box: Box) {
  const count = Math.min(moov.readUInt32BE(box.start + 12), Math.floor((box.end - box.start - 16) / 8))
  let [run, first, sum] = [0, 0, 0]
  const length = () => (run < count ? moov.readUInt32BE(box.start + 16 + run * 8) : Infinity)
  const value = () => (run < count ? moov.readInt32BE(box.start + 20 + run * 8) : 0)
  const goTo = (sample: number) => {
    while (run < count && first + length() <= sample) {
      sum += length() * value()
      first += length()
      run += 1
    }
  }
  return {
    valueAt(sample: number): number {
      goTo(sample)
      return value()
    },
    sumBefore(sample: number): number {
      goTo(sample)
      return sum + (sample - first) * value()
    },
  }
}
