import { type Format, formatBoxes } from '../../media/formats.js'
import { vp9Weight } from '../../media/ladder.js'
import type { Made, Time } from './cost-facts.js'

/** Encoders use about this share of a format's maximum bitrate. */
const usualPart = 0.8
const soundRates: Partial<Record<Format, number>> = { mp4_360p: 128_000, webm_360p: 96_000 }

/** Bytes per hour by the ladder. Files contain the sound; HLS rungs have it in a separate track. */
export const usualBytesPerHour = (format: Format): number =>
  ((formatBoxes[format].maxRate * usualPart + (soundRates[format] ?? 0)) / 8) * 3600

/** Actual bytes divided by the ladder's: films with little motion take less. 1 if nothing is encoded. */
export function sizeCorrection(made: readonly Made[]): number {
  const [bytes, expected] = made.reduce(
    ([taken, usual], { encoded_bytes, expected_bytes }) => [taken + encoded_bytes, usual + expected_bytes],
    [0, 0],
  )
  return expected > 0 ? bytes / expected : 1
}

/** Encoding seconds per second of film: measured for the format, or estimated by pixels from the others. */
export function encodingRate(times: readonly Time[], format: Format): number | undefined {
  const own = times.filter((time) => time.format === format && time.way !== 'copy')
  if (own.length > 0) return own.reduce((sum, { seconds, film_seconds }) => sum + seconds / film_seconds, 0)
  // An MP4 is joined, not encoded. The time for that is not known in advance.
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
