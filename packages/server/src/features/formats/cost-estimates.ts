import { type Format, formatBoxes } from '../../media/formats.js'
import { vp9Weight } from '../../media/ladder.js'
import type { Made, Time } from './cost-facts.js'

/** Of the bits a second that a format may have, encoders use about so many. */
const usualPart = 0.8
const soundRates: Partial<Record<Format, number>> = { mp4_360p: 128_000, webm_360p: 96_000 }

/** What an hour takes by the ladder. The sound is in the files, and beside the sizes of HLS. */
export const usualBytesPerHour = (format: Format): number =>
  ((formatBoxes[format].maxRate * usualPart + (soundRates[format] ?? 0)) / 8) * 3600

/** How the films of a channel compare with the ladder: calm ones take less. 1 while nothing is encoded. */
export function sizeCorrection(made: readonly Made[]): number {
  const [bytes, expected] = made.reduce(
    ([taken, usual], { encoded_bytes, expected_bytes }) => [taken + encoded_bytes, usual + expected_bytes],
    [0, 0],
  )
  return expected > 0 ? bytes / expected : 1
}

/** Seconds of encoding for a second of film: as measured for the format, or by its pixels at the speed of the others. */
export function encodingRate(times: readonly Time[], format: Format): number | undefined {
  const own = times.filter((time) => time.format === format && time.way !== 'copy')
  if (own.length > 0) return own.reduce((sum, { seconds, film_seconds }) => sum + seconds / film_seconds, 0)
  // An MP4 is joined from what is there, and how long that takes is not known before.
  if (format === 'mp4_360p') return undefined
  const [seconds, pixels] = times
    .filter(({ way }) => way === 'encode')
    .reduce(
      ([spent, done], time) => [spent + time.seconds, done + time.film_seconds * weightOf(time.format)],
      [0, 0],
    )
  return pixels > 0 ? (seconds / pixels) * weightOf(format) : undefined
}

function weightOf(format: Format): number {
  const { width, height } = formatBoxes[format]
  return width * height * (format === 'webm_360p' ? vp9Weight : 1)
}
