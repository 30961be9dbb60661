import { catalog } from '@zoetrope/contract'
import type { Database } from '../db/database.js'
import { invalid } from '../errors.js'
import { openGathered } from './gathered.js'
import type { DeviceKind } from './watched-on.js'

/** What a player says of one play, of the whole of it so far. */
export interface Report {
  /** The play's own id, by which it is counted once. */
  readonly play: string
  readonly watched: number
  readonly ended: boolean
  /** What it is played on, where the player knows better than its User-Agent tells. */
  readonly device: DeviceKind | undefined
}

const deviceKinds: readonly unknown[] = catalog.plays.fields.device.options
const playForm = /^[\w-]{16,64}$/

/** A report as it came: JSON, whatever the request calls it. */
export function readReport(body: unknown): Report {
  const { play, watched = 0, ended = false, device } = parse(body)
  const isReport =
    typeof play === 'string' &&
    playForm.test(play) &&
    Number.isFinite(watched) &&
    Number(watched) >= 0 &&
    typeof ended === 'boolean' &&
    (device === undefined || deviceKinds.includes(device))
  if (!isReport)
    throw invalid(
      'A report is JSON: play, 16 to 64 letters and digits; watched, seconds; ended, true or false; device, if you know it.',
    )
  return { play, watched: Number(watched), ended, device: device as DeviceKind | undefined }
}

function parse(body: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(body))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Whose play, of what. */
export interface Played {
  readonly site_id: string
  readonly video_id: string
}

interface Gathered {
  readonly device: DeviceKind
  /** When the first report of it came, in milliseconds since 1970; and the one that told most. */
  readonly began: number
  readonly at: number
  readonly watched: number
  readonly ended: boolean
}

export interface PlayReports {
  /** Takes a report, unless too many wait to be written. */
  add(of: Played, report: Report & { readonly device: DeviceKind }, at?: number): boolean
  flush(): Promise<void>
  close(): Promise<void>
}

const merge = (a: Gathered, b: Gathered): Gathered => {
  const { at, watched } = b.watched > a.watched ? b : a
  return { device: a.device, began: Math.min(a.began, b.began), at, watched, ended: a.ended || b.ended }
}

/** More than any address lasts. */
const longest = 86_400

export function openPlayReports(database: Database, onError: (error: unknown) => void): PlayReports {
  const { add, flush, close } = openGathered<Gathered>({
    onError,
    merge,
    write: (reports) => write(database, reports),
  })
  return {
    add({ site_id, video_id }, { play, watched, ended, device }, at = Date.now()) {
      const seconds = Math.min(watched, longest)
      return add(`${site_id} ${video_id} ${play}`, { device, began: at, at, watched: seconds, ended })
    },
    flush,
    close,
  }
}

/** The way of a report takes a while, and clocks of servers differ a little. */
const slack = 5

/** A play is never longer than the time since it was first told of, and never gets shorter: late reports say nothing new. */
async function write({ db, transaction }: Database, reports: ReadonlyMap<string, Gathered>): Promise<void> {
  const names = [...reports.keys()].map((key) => key.split(' '))
  const [sites, videos, plays] = [0, 1, 2].map((part) => names.map((name) => name[part] ?? ''))
  const values = [...reports.values()]
  // The driver takes a list of times for a single one, so they go as numbers.
  const numbers = (of: (report: Gathered) => number) => db`${values.map(of)}::float8[]`
  const given = db`
    select site_id, video_id, play, device, to_timestamp(began) as began_at, to_timestamp(at) as at, watched, ended = 1 as ended
    from unnest(
      ${sites ?? []}::text[], ${videos ?? []}::text[], ${plays ?? []}::text[], ${values.map(({ device }) => device)}::text[],
      ${numbers(({ began }) => began / 1000)}, ${numbers(({ at }) => at / 1000)}, ${numbers(({ watched }) => watched)},
      ${numbers(({ ended }) => Number(ended))}
    ) as given (site_id, video_id, play, device, began, at, watched, ended)
  `
  await transaction(async (tx) => {
    await tx`
      insert into play_reports (site_id, video_id, play, device, began_at)
      select given.site_id, video_id, play, device, began_at from (${given}) as given
      join videos on videos.site_id = given.site_id and videos._id = video_id
      order by 1, 2, 3
      on conflict do nothing
    `
    await tx`
      with given as (${given}), kept as (
        select report.site_id, report.video_id, report.play, least(report.began_at, given.began_at) as began_at,
          given.at, given.watched, given.ended
        from play_reports as report join given using (site_id, video_id, play)
        order by 1, 2, 3 for update of report
      )
      update play_reports as report set
        began_at = kept.began_at,
        ended = report.ended or kept.ended,
        watched_seconds = greatest(
          report.watched_seconds,
          round(least(kept.watched, extract(epoch from kept.at - kept.began_at)::float8 + ${slack}))
        )
      from kept
      where report.site_id = kept.site_id and report.video_id = kept.video_id and report.play = kept.play
    `
  })
}
