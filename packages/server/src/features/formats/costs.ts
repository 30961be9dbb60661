import { notFound } from '../../errors.js'
import { storageUse } from '../../films/quota.js'
import { type Format, formatBoxes, formatNames } from '../../media/formats.js'
import { vp9Weight } from '../../media/ladder.js'
import { isSound } from '../../media-segments/segment-keys.js'
import type { Call } from '../../resources/feature.js'
import { project } from '../../resources/projection.js'
import { answer } from '../../resources/standard.js'
import {
  type Candidates,
  candidatesOf,
  filmsOf,
  type Made,
  madeOf,
  type Time,
  timesOf,
} from './cost-facts.js'

/** Returns the storage and encoding time of each format, with estimates for those that are off. */
export async function getCosts({ parts, scope: { site_id }, query }: Call) {
  const { db } = parts.database
  const [[settings], films, made, times, candidates, storage] = await Promise.all([
    db<Record<string, unknown>[]>`select * from formats where _id = ${site_id}`,
    filmsOf(db, site_id),
    madeOf(db, site_id),
    timesOf(db, site_id),
    candidatesOf(db, site_id),
    storageUse(db, parts.files, site_id),
  ])
  if (!settings) throw notFound('formats')
  // The same totals as elsewhere in the API.
  const [source_bytes, made_bytes] = [storage.used, storage.made]
  const facts: Facts = { settings, made, times, candidates, stored: source_bytes + made_bytes }
  const record = {
    _id: site_id,
    site_id,
    created_at: settings.created_at,
    updated_at: settings.updated_at,
    ...films,
    source_bytes,
    made_bytes,
    sound_bytes: sumOf(
      made.filter(({ track }) => isSound(track)),
      'bytes',
    ),
    sound_encoding_seconds: sumOf(
      times.filter(({ track }) => isSound(track)),
      'seconds',
    ),
    formats: formatNames.map((format) => costOf(facts, format)),
  }
  return answer(project(query, JSON.stringify(record)))
}

interface Facts {
  readonly settings: Readonly<Record<string, unknown>>
  readonly made: readonly Made[]
  readonly times: readonly Time[]
  readonly candidates: readonly Candidates[]
  /** Total bytes stored: sources and encoded tracks. */
  readonly stored: number
}

function costOf(facts: Facts, format: Format) {
  const isOn = facts.settings[format] === true
  const made = facts.made.filter((each) => each.format === format)
  const bytes = sumOf(made, 'bytes')
  // Pieces of a file that is not joined yet take storage, but do not count as a film.
  const whole = made.filter((each) => each.is_whole)
  const film_seconds = sumOf(whole, 'film_seconds')
  const times = facts.times.filter((each) => each.format === format)
  const perMinute = times.reduce((sum, time) => sum + (time.seconds / time.film_seconds) * 60, 0)
  return {
    format,
    on: isOn,
    films: sumOf(whole, 'films'),
    bytes,
    bytes_per_hour: film_seconds > 0 ? Math.round((sumOf(whole, 'bytes') / film_seconds) * 3600) : null,
    share: facts.stored > 0 ? round(bytes / facts.stored, 4) : 0,
    freed_bytes: isOn ? sumOf(made, 'freed_bytes') : 0,
    encoding_seconds: round(sumOf(times, 'seconds'), 3),
    encoding_seconds_per_minute: times.length > 0 ? round(perMinute, 2) : null,
    ...estimateOf(facts, format, isOn),
  }
}

/** Estimates the cost of turning the format on. Adds nothing if it is on. */
function estimateOf({ made, times, candidates }: Facts, format: Format, isOn: boolean) {
  const perHour = usualBytesPerHour(format) * sizeCorrection(made)
  const would = isOn ? undefined : candidates.find((each) => each.format === format)
  const rate = encodingRate(times, format)
  return {
    estimated_bytes_per_hour: Math.round(perHour),
    estimated_films: would?.films ?? 0,
    estimated_bytes: Math.round(
      (would?.copied_bytes ?? 0) + ((would?.encoded_seconds ?? 0) / 3600) * perHour,
    ),
    estimated_encoding_seconds: rate === undefined ? null : round((would?.encoded_seconds ?? 0) * rate, 1),
  }
}

const sumOf = <K extends string>(rows: readonly Readonly<Record<K, number>>[], name: K): number =>
  rows.reduce((sum, row) => sum + row[name], 0)

const round = (value: number, digits: number) => Number(value.toFixed(digits))

/** Encoders use about this share of a format's maximum bitrate. */
const usualPart = 0.8
const soundRates: Partial<Record<Format, number>> = { mp4_360p: 128_000, webm_360p: 96_000 }

/** Bytes per hour by the ladder. Files contain the sound; HLS rungs have it in a separate track. */
const usualBytesPerHour = (format: Format): number =>
  ((formatBoxes[format].maxRate * usualPart + (soundRates[format] ?? 0)) / 8) * 3600

/** Actual bytes divided by the ladder's: films with little motion take less. 1 if nothing is encoded. */
function sizeCorrection(made: readonly Made[]): number {
  const [bytes, expected] = made.reduce(
    ([taken, usual], { encoded_bytes, expected_bytes }) => [taken + encoded_bytes, usual + expected_bytes],
    [0, 0],
  )
  return expected > 0 ? bytes / expected : 1
}

/** Encoding seconds per second of film: measured for the format, or estimated by pixels from the others. */
function encodingRate(times: readonly Time[], format: Format): number | undefined {
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
