import { type Fraction, fraction, toNumber } from './fraction.js'
import type { SourceFacts } from './source-facts.js'

/** Where segments begin: in whole frames of the result, the same for every rung. */
export interface Grid {
  readonly frameRate: Fraction
  /** Ticks per second and per frame, both whole numbers. */
  readonly timescale: number
  readonly ticksPerFrame: number
  /** The first is 0, the last the number of frames. */
  readonly borders: readonly number[]
}

/** Segments from `from` up to but excluding `to`: what one run of ffmpeg makes. */
export interface Window {
  readonly from: number
  readonly to: number
}

export interface GridOptions {
  /** A rung is copied, so every border must be a key frame of the source. */
  readonly onKeyFrames: boolean
}

const segmentSeconds = 4
/** Short at first, because playback starts with the first segment. */
const firstSeconds = [1, 1, 2]
/** A shorter last segment joins the one before. */
const shortestSeconds = 0.5
const aacFrame = 1024

/** The borders for a source; without video they lie on audio frames. */
export function planGrid(facts: SourceFacts, { onKeyFrames }: GridOptions): Grid {
  const { video, duration } = facts
  const frameRate = video?.frameRate ?? fraction(48_000, aacFrame)
  const rate = toNumber(frameRate)
  const frames = Math.max(1, Math.round((video?.duration ?? duration) * rate))
  const keyFrames = [...new Set((video?.keyFrames ?? []).map((time) => Math.round(time * rate)))]
  const inside = keyFrames.filter((frame) => frame > 0 && frame < frames).sort((a, b) => a - b)
  const begun = onKeyFrames
    ? onlyKeyFrames(inside, frames, rate)
    : nearKeyFrames([...inside, frames], frames, rate)
  return { frameRate, ...clockFor(frameRate), borders: [...withoutShortEnd(begun, frames, rate), frames] }
}

function clockFor({ numerator, denominator }: Fraction) {
  const factor = numerator >= 1000 ? 1 : 1000
  return { timescale: numerator * factor, ticksPerFrame: denominator * factor }
}

/** The key frames nearest to the desired lengths. */
function onlyKeyFrames(keyFrames: readonly number[], frames: number, rate: number): number[] {
  const borders = [0]
  for (const [index, frame] of keyFrames.entries()) {
    const start = borders.at(-1) ?? 0
    const request = start + desiredSeconds(borders.length - 1) * rate
    const next = keyFrames[index + 1] ?? frames
    if (frame - start >= shortestSeconds * rate && (frame >= request || next - request > request - frame))
      borders.push(frame)
  }
  return borders
}

const desiredSeconds = (segment: number) => firstSeconds[segment] ?? segmentSeconds

/** About the desired lengths; at a key frame if one is near, so that a seek there decodes nothing in vain. */
function nearKeyFrames(keyFrames: readonly number[], frames: number, rate: number): number[] {
  const borders = [0]
  let from = 0
  for (let start = 0; start < frames; ) {
    const length = desiredSeconds(borders.length - 1) * rate
    while (from < keyFrames.length && (keyFrames[from] ?? 0) <= start + length / 2) from += 1
    const isRamp = borders.length <= firstSeconds.length
    start = borderNear(keyFrames.slice(from, from + lookAhead), start, Math.round(length), isRamp)
    if (start < frames) borders.push(start)
  }
  return borders
}

/**
 * How many key frames after a segment's middle are considered: only all-intra films have more within a
 * second.
 */
const lookAhead = 256

function borderNear(keyFrames: readonly number[], start: number, length: number, isRamp: boolean): number {
  const request = start + length
  const near = keyFrames.filter((frame) => frame <= request + length / 4)
  if (near.length > 0)
    return near.reduce((best, frame) => (Math.abs(frame - request) < Math.abs(best - request) ? frame : best))
  const next = keyFrames[0]
  if (isRamp || next === undefined || next - start >= length * 4) return request
  // A group of pictures longer than a segment is divided evenly.
  return start + Math.round((next - start) / Math.ceil((next - start) / length))
}

function withoutShortEnd(borders: readonly number[], frames: number, rate: number): readonly number[] {
  const isShort = borders.length > 1 && frames - (borders.at(-1) ?? 0) < shortestSeconds * rate
  return isShort ? borders.slice(0, -1) : borders
}

export const segmentCount = ({ borders }: Grid) => borders.length - 1

/** Seconds from the start to the beginning of a segment. */
export const startOf = ({ borders, frameRate }: Grid, segment: number) =>
  ((borders[segment] ?? 0) * frameRate.denominator) / frameRate.numerator

export const secondsOf = (grid: Grid, segment: number) => startOf(grid, segment + 1) - startOf(grid, segment)

export const durationOf = (grid: Grid) => startOf(grid, segmentCount(grid))

/** Short, because a viewer who seeks to the end of a window waits for all of it. */
const windowSeconds = 4

/** All segments in groups. The first is alone, because a viewer waits for it. */
export function planWindows(grid: Grid, seconds = windowSeconds): Window[] {
  const windows: Window[] = []
  for (let from = 0; from < segmentCount(grid); ) {
    let to = from + 1
    while (from > 0 && to < segmentCount(grid) && startOf(grid, to + 1) - startOf(grid, from) <= seconds)
      to += 1
    windows.push({ from, to })
    from = to
  }
  return windows
}
