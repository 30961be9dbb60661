import { readPieces } from './fragments.js'
import { type Grid, segmentCount, type Window } from './grid.js'
import { joinFragments, type Mp4Fragment, type Sample, timescaleOf, writeFragment } from './mp4-boxes.js'

/** A part of a rendition: the init segment or a segment. */
export type SegmentPart =
  | { readonly kind: 'init'; readonly bytes: Buffer }
  | { readonly kind: 'segment'; readonly number: number; readonly bytes: Buffer }

/** Segments of an encoded window. Throws if their frames do not match the grid. */
export async function* cutEncoded(
  bytes: AsyncIterable<Buffer>,
  grid: Grid,
  { from, to }: Window,
): AsyncGenerator<SegmentPart> {
  let number = from
  let parts: Mp4Fragment[] = []
  for await (const piece of readPieces(bytes)) {
    if (piece.kind === 'init') {
      checkClock(piece.bytes, grid)
      yield piece
      continue
    }
    parts.push(piece.fragment)
    const frames = parts.reduce((sum, { samples }) => sum + samples.length, 0)
    if (frames < framesOf(grid, number)) continue
    if (frames > framesOf(grid, number)) throw wrongFrames(grid, number, frames)
    yield { kind: 'segment', number, bytes: seat(joinFragments(parts), grid, number) }
    parts = []
    number += 1
  }
  if (number !== to || parts.length > 0)
    throw wrongFrames(grid, number, parts.flatMap((part) => part.samples).length)
}

const framesOf = ({ borders }: Grid, segment: number) => (borders[segment + 1] ?? 0) - (borders[segment] ?? 0)

const wrongFrames = (grid: Grid, segment: number, frames: number) =>
  new Error(`Segment ${segment} has ${frames} frames, not ${framesOf(grid, segment)}.`)

function checkClock(init: Buffer, { timescale }: Grid): void {
  const found = timescaleOf(init)
  if (found !== timescale) throw new Error(`A track counts ${found} ticks a second, not ${timescale}.`)
}

/**
 * Segments of a copied window: fragments are assigned by the display time of their first frame; those outside
 * are dropped.
 */
export async function* cutCopied(
  bytes: AsyncIterable<Buffer>,
  grid: Grid,
  { from, to }: Window,
): AsyncGenerator<SegmentPart> {
  const expected = new Set(Array.from({ length: to - from }, (_, index) => from + index))
  let number = -1
  let parts: Mp4Fragment[] = []
  const finished = function* (): Generator<SegmentPart> {
    if (parts.length > 0 && expected.delete(number))
      yield { kind: 'segment', number, bytes: seat(joinFragments(parts), grid, number) }
  }
  for await (const piece of readPieces(bytes)) {
    if (piece.kind === 'init') {
      checkClock(piece.bytes, grid)
      yield piece
      continue
    }
    const next = segmentAt(grid, piece.fragment)
    if (next !== number) {
      yield* finished()
      parts = []
      number = next
      if (number >= to) break
    }
    if (number >= from) parts.push(piece.fragment)
  }
  yield* finished()
  if (expected.size > 0)
    throw new Error(`The source has no key frame where segment ${[...expected][0]} begins.`)
}

/** The segment of a fragment: the last whose border is not after its first picture. */
function segmentAt(grid: Grid, { baseTime, samples }: Mp4Fragment): number {
  const frame = (baseTime + (samples[0]?.offset ?? 0)) / grid.ticksPerFrame
  let [low, high] = [0, segmentCount(grid)]
  while (low < high - 1) {
    const middle = (low + high) >> 1
    if ((grid.borders[middle] ?? 0) <= frame + 0.75) low = middle
    else high = middle
  }
  return low
}

/** Aligns a segment with the grid: it begins at its border, and ends where the next begins. */
function seat(fragment: Mp4Fragment, grid: Grid, number: number): Buffer {
  const { ticksPerFrame, borders } = grid
  const begin = fragment.samples[0]?.offset ?? 0
  const shifted = fragment.samples.map((sample) => ({ ...sample, offset: sample.offset - begin }))
  const frames = framesOf(grid, number)
  const samples =
    shifted.length === frames
      ? shifted.map((sample) => evenly(sample, ticksPerFrame))
      : stretched(shifted, frames * ticksPerFrame)
  return writeFragment(
    { baseTime: (borders[number] ?? 0) * ticksPerFrame, samples, data: fragment.data },
    number + 1,
  )
}

/** Containers with millisecond times have frames of 33 and 34; this makes them thirtieths again. */
const evenly = (sample: Sample, ticks: number): Sample => ({
  ...sample,
  duration: ticks,
  offset: Math.round(sample.offset / ticks) * ticks,
})

/**
 * A source that lost frames keeps its own times; the last frame of the segment lasts until the next border.
 */
function stretched(samples: readonly Sample[], total: number): Sample[] {
  const before = samples.slice(0, -1).reduce((sum, { duration }) => sum + duration, 0)
  const share = Math.floor(total / samples.length)
  return samples.map((sample, index) => {
    const isLast = index === samples.length - 1
    if (before < total) return isLast ? { ...sample, duration: total - before } : sample
    return { ...sample, duration: isLast ? total - share * index : share }
  })
}
