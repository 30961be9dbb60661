import { catalog } from '@zoetrope/contract'
import type { Database } from '../db/database.js'
import { invalid } from '../errors.js'
import { openGathered } from './event-batch.js'
import type { DeviceKind } from './watched-on.js'

/** A player's report about one play from its beginning until now. */
export interface Report {
  /** The play's id, so that it is counted once. */
  readonly play: string
  readonly watched: number
  readonly ended: boolean
  /** The device, where the player knows it better than the User-Agent. */
  readonly device: DeviceKind | undefined
}

const deviceKinds: readonly unknown[] = catalog.plays.fields.device.options
const playForm = /^[\w-]{16,64}$/

/** Reads a report: JSON with any content type. */
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

/** Who played what. */
export interface Played {
  readonly site_id: string
  readonly video_id: string
}

interface GatheredReport {
  readonly device: DeviceKind
  /** When the first report arrived, in milliseconds since 1970, and the longest report so far. */
  readonly began: number
  readonly at: number
  readonly watched: number
  readonly ended: boolean
}

export interface PlayReports {
  /** Adds a report; returns false if too many are waiting. */
  add(of: Played, report: Report & { readonly device: DeviceKind }, at?: number): boolean
  flush(): Promise<void>
  close(): Promise<void>
}

const merge = (a: GatheredReport, b: GatheredReport): GatheredReport => {
  const { at, watched } = b.watched > a.watched ? b : a
  return { device: a.device, began: Math.min(a.began, b.began), at, watched, ended: a.ended || b.ended }
}

/** Longer than any address is valid. */
const longest = 86_400

export function openPlayReports(database: Database, onError: (error: unknown) => void): PlayReports {
  const { add, flush, close } = openGathered<GatheredReport>({
    onError,
    merge,
    write: (reports) => writeReports(database, reports),
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

/** Reports take time to arrive, and server clocks differ a little. */
const slack = 5

/**
 * A play is never longer than the time since its first report, and never gets shorter: late reports change
 * nothing.
 */
async function writeReports(
  { db, transaction }: Database,
  reports: ReadonlyMap<string, GatheredReport>,
): Promise<void> {
  const names = [...reports.keys()].map((key) => key.split(' '))
  const [sites, videos, plays] = [0, 1, 2].map((part) => names.map((name) => name[part] ?? ''))
  const values = [...reports.values()]
  const given = db`
    select site_id, video_id, play, device, to_timestamp(began) as began_at, to_timestamp(at) as at, watched, ended
    from unnest(
      ${sites ?? []}::text[], ${videos ?? []}::text[], ${plays ?? []}::text[], ${values.map(({ device }) => device)}::text[],
      ${values.map(({ began }) => began / 1000)}::float8[], ${values.map(({ at }) => at / 1000)}::float8[],
      ${values.map(({ watched }) => watched)}::float8[], ${values.map(({ ended }) => ended)}::boolean[]
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
