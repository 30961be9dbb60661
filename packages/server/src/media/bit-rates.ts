/** Bits per second of a rendition: peak and average. */
export interface BitRates {
  readonly peak: number
  readonly average: number
}

/** Durations and sizes of segments in order; undefined where one has not been made. */
interface MeasuredSegments {
  readonly seconds: readonly number[]
  readonly bytes: readonly (number | undefined)[]
  /** The target duration of the playlist. */
  readonly target: number
}

/**
 * The rates of the finished segments according to RFC 8216, section 4.1: the peak is the largest rate of
 * neighbouring segments that together last between half and one and a half target durations. Undefined
 * without segments.
 */
export function measureRates({ seconds, bytes, target }: MeasuredSegments): BitRates | undefined {
  const all = { length: 0, size: 0 }
  let peak = 0
  for (const [from, first] of bytes.entries()) {
    if (first === undefined) continue
    all.length += seconds[from] ?? 0
    all.size += first
    peak = Math.max(peak, peakFrom({ seconds, bytes, target }, from))
  }
  if (all.length === 0) return undefined
  const average = rateOf(all.size, all.length)
  // A film shorter than half a target duration has no such neighbours.
  return { peak: Math.max(peak, average), average }
}

const rateOf = (bytes: number, seconds: number) => (bytes * 8) / seconds

function peakFrom({ seconds, bytes, target }: MeasuredSegments, from: number): number {
  let [length, size, peak] = [0, 0, 0]
  for (let at = from; at < bytes.length; at += 1) {
    const next = bytes[at]
    length += seconds[at] ?? 0
    if (next === undefined || length > target * 1.5) break
    size += next
    if (length >= target / 2) peak = Math.max(peak, rateOf(size, length))
  }
  return peak
}

/** The rates of the largest of several renditions that replace each other. */
export const highestRates = (parts: readonly BitRates[]): BitRates => ({
  peak: Math.max(...parts.map(({ peak }) => peak)),
  average: Math.max(...parts.map(({ average }) => average)),
})

export const sumRates = (...parts: readonly (BitRates | undefined)[]): BitRates => ({
  peak: parts.reduce((sum, part) => sum + (part?.peak ?? 0), 0),
  average: parts.reduce((sum, part) => sum + (part?.average ?? 0), 0),
})
