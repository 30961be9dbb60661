import type { Db } from '../db/database.js'
import type { Caches } from '../lib/caches.js'
import { createRecent } from '../lib/recent.js'
import { type BitRates, measureRates } from '../media/bit-rates.js'
import type { Window } from '../media/grid.js'
import type { TrackName } from './segment-keys.js'
import type { Source, SourcePlan } from './source-plan.js'
import { secondsOfTrack, targetDurationOf } from './track-seconds.js'

/** What a track's segments show. */
export interface MeasuredTrack {
  /** Undefined while too little has been made. */
  readonly rates: BitRates | undefined
  /** The rates of the segments' first key frames, once all are known. */
  readonly keyRates: BitRates | undefined
}

export type Measured = ReadonlyMap<TrackName, MeasuredTrack>

/** The size of each segment, and where its first frame ends; undefined if it was not made or not measured. */
interface SegmentSizes {
  readonly bytes: readonly (number | undefined)[]
  readonly keyBytes: readonly (number | undefined)[]
}

const measuredCache = () => createRecent<Measured>(600_000, 1000)
/** A film being made is measured again after each such fraction of it. */
const steps = 16
/** This much of a rendition is better than an estimate. */
const enoughSeconds = 30

/** The rates of a source's tracks, from the segments made so far. */
export async function measureTracks(cache: Caches, db: Db, source: Source): Promise<Measured> {
  const { site_id, _id, plan } = source
  const made = await db<{ track: TrackName; windows: number; bytes: string }[]>`
    select track, windows, bytes::text from made_tracks where site_id = ${site_id} and source_id = ${_id} order by track
  `
  const state = made.map(({ track, windows, bytes }) => {
    const isWhole = windows >= plan.windows.length
    return `${track} ${isWhole ? bytes : Math.floor((windows / plan.windows.length) * steps)}`
  })
  const known = cache(measuredCache)
  return (await known.find(`${_id} ${state.join()}`, () => measureAll(db, source))) ?? new Map()
}

async function measureAll(db: Db, { _id, plan }: Source): Promise<Measured> {
  const sizes = await sizesOf(db, _id, plan.windows)
  const found = [...sizes].flatMap(([track, made]) => {
    const seconds = secondsOfTrack(plan, track)
    return seconds ? [[track, measureTrack(plan, seconds, made)] as const] : []
  })
  return new Map(found)
}

function measureTrack(
  plan: SourcePlan,
  seconds: readonly number[],
  { bytes, keyBytes }: SegmentSizes,
): MeasuredTrack {
  const target = targetDurationOf(plan)
  const madeSeconds = seconds.reduce((sum, length, k) => sum + (bytes[k] === undefined ? 0 : length), 0)
  const isWhole = seconds.every((_, k) => bytes[k] !== undefined)
  return {
    rates: isWhole || madeSeconds >= enoughSeconds ? measureRates({ seconds, bytes, target }) : undefined,
    keyRates: isWhole && areAll(keyBytes) ? measureRates({ seconds, bytes: keyBytes, target }) : undefined,
  }
}

const areAll = (values: readonly (number | undefined)[]): values is readonly number[] =>
  values.every((value) => value !== undefined && value > 0)

/** Where the first frame of each segment of a track ends; undefined unless all are known. */
export async function keyFramesOf(
  db: Db,
  { _id, plan }: Source,
  track: TrackName,
): Promise<readonly number[] | undefined> {
  const keyBytes = (await sizesOf(db, _id, plan.windows, track)).get(track)?.keyBytes
  return keyBytes && areAll(keyBytes) ? keyBytes : undefined
}

/** One row per track: a film of a day has a hundred thousand windows. */
async function sizesOf(
  db: Db,
  source_id: string,
  windows: readonly Window[],
  track?: TrackName,
): Promise<ReadonlyMap<TrackName, SegmentSizes>> {
  const rows = await db<
    { track: TrackName; numbers: string; bytes: string; segments: string; keys: string }[]
  >`
    select track, string_agg(number::text, ' ' order by number) as numbers,
      string_agg(coalesce(bytes, 0)::text, ' ' order by number) as bytes,
      string_agg(coalesce(array_to_string(segment_bytes, ','), ''), ' ' order by number) as segments,
      string_agg(coalesce(array_to_string(key_bytes, ','), ''), ' ' order by number) as keys
    from media_windows where source_id = ${source_id} and made_at is not null
      and (${track ?? null}::text is null or track = ${track ?? null}) group by track
  `
  return new Map(rows.map(({ track: name, ...row }) => [name, sizesIn(row, windows)]))
}

function sizesIn(
  row: { readonly numbers: string; readonly bytes: string; readonly segments: string; readonly keys: string },
  windows: readonly Window[],
): SegmentSizes {
  const count = windows.at(-1)?.to ?? 0
  const bytes = Array.from<number | undefined>({ length: count })
  const keyBytes = Array.from<number | undefined>({ length: count })
  const [sizes, segments, keys] = [row.bytes, row.segments, row.keys].map((text) => text.split(' '))
  for (const [index, number] of row.numbers.split(' ').map(Number).entries()) {
    const { from, to } = windows[number] ?? { from: 0, to: 0 }
    const each = numbersIn(segments?.[index])
    const eachKey = numbersIn(keys?.[index])
    for (let k = from; k < to; k += 1) {
      // Windows made by earlier versions have only a total size.
      bytes[k] = each[k - from] ?? Number(sizes?.[index]) / (to - from)
      keyBytes[k] = eachKey[k - from]
    }
  }
  return { bytes, keyBytes }
}

const numbersIn = (text: string | undefined) => (text ? text.split(',').map(Number) : [])
