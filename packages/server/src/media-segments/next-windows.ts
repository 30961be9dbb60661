import type { Db } from '../db/database.js'
import { toNumber } from '../media/fraction.js'
import { startOf } from '../media/grid.js'
import { fitFormat, vp9Weight } from '../media/ladder.js'
import type { TrackWindow } from './make-windows.js'
import { audioPlanOf, type Sort, sortOf, type TrackName, webmTrack } from './segment-keys.js'
import type { Source, SourcePlan } from './source-plan.js'

interface MissingWindow extends TrackWindow {
  readonly is_held: boolean
}

export interface NextWindows {
  readonly windows: readonly TrackWindow[]
  /** The rest is being made elsewhere or failed just now; nothing else is left. */
  readonly areHeld: boolean
}

const mostLooked = 2000

/**
 * The next windows of these tracks to make together: the first that are neither made, given up nor leased.
 * Cheap work comes first, audio before copied video; then all sizes window by window; then other audio tracks;
 * surround is last.
 */
export async function nextWindows(
  db: Db,
  { _id, plan }: Source,
  tracks: readonly TrackName[],
): Promise<NextWindows> {
  const sorts = tracks.map((track) => rankOf(sortOf(plan, track)))
  const missing = await db<MissingWindow[]>`
    select asked.track, place.number, coalesce(not free_window(kept), false) as is_held
    from unnest(${tracks}::text[], ${sorts}::integer[]) as asked (track, sort)
    cross join generate_series(0, ${plan.windows.length - 1}::integer) as place (number)
    left join media_windows as kept
      on kept.source_id = ${_id} and kept.track = asked.track and kept.number = place.number
    where kept.source_id is null or (kept.made_at is null and not hopeless_window(kept))
    order by sort, place.number, asked.track limit ${mostLooked}
  `
  const free = missing.filter(({ is_held }) => !is_held)
  const isHeld = free.length === 0
  return { windows: together(plan, isHeld ? missing : free), areHeld: isHeld }
}

const order: readonly Sort[] = ['audio', 'copy', 'encode', 'others', 'surround']
/** Copied audio tracks beside the main one come with the encoded ones. */
const rankOf = (sort: Sort) => order.indexOf(order.includes(sort) ? sort : 'others')

/** The first missing windows that are made the same way and do not take long. */
export function together(plan: SourcePlan, missing: readonly TrackWindow[]): TrackWindow[] {
  const [first] = missing
  if (!first) return []
  const sort = sortOf(plan, first.track)
  const tracksAt = (number: number) =>
    missing.filter((window) => window.number === number && sortOf(plan, window.track) === sort)
  const begin = tracksAt(first.number)
  const alike = begin.map(({ track }) => track).join()
  const most = mostSeconds(
    plan,
    sort,
    begin.map(({ track }) => track),
  )
  const found = [...begin]
  for (let number = first.number + 1; number < plan.windows.length; number += 1) {
    const next = tracksAt(number)
    if (next.map(({ track }) => track).join() !== alike || secondsTo(plan, first.number, number) > most) break
    found.push(...next)
  }
  return found.map(({ track, number }) => ({ track, number }))
}

/** Seconds from the beginning of one window to the end of another. */
const secondsTo = ({ grid, windows }: SourcePlan, from: number, to: number) =>
  startOf(grid, windows[to]?.to ?? 0) - startOf(grid, windows[from]?.from ?? 0)

/** Copying costs next to nothing. A minute of audio takes three seconds to encode. */
const longest = { copy: 600, audio: 120, encode: 60 }
/** As many pixels as are encoded in about a minute. */
const mostPixels = 2e9

function mostSeconds(plan: SourcePlan, sort: Sort, tracks: readonly TrackName[]): number {
  const { facts, rungs } = plan
  const { video } = facts
  const sound = audioPlanOf(plan, tracks[0] ?? '')
  if (sound) return longest[sound.method === 'copy' ? 'copy' : 'audio'] / tracks.length
  if (sort === 'copy' || !video) return longest.copy
  const pixels = rungs
    .filter(({ name }) => tracks.includes(name))
    .reduce((sum, { width, height }) => sum + width * height, 0)
  const webm = fitFormat(video, webmTrack)
  const slow = tracks.includes(webmTrack) ? webm.width * webm.height * vp9Weight : 0
  return Math.min(longest.encode, mostPixels / ((pixels + slow) * toNumber(video.frameRate)))
}

/** The first window of these tracks, in order, that is neither made nor given up. */
export async function nextMissing(
  db: Db,
  source_id: string,
  tracks: readonly TrackName[],
  windows: number,
): Promise<TrackWindow | undefined> {
  const [missing] = await db<TrackWindow[]>`
    select asked.track, number
    from unnest(${tracks}::text[]) with ordinality as asked (track, place)
    cross join generate_series(0, ${windows - 1}::integer) as number
    where not exists (
      select from media_windows as kept
      where source_id = ${source_id} and kept.track = asked.track and kept.number = number.number
        and (made_at is not null or hopeless_window(kept))
    )
    order by place, number limit 1
  `
  return missing
}

/** Whether a window of these tracks was given up. */
export async function isHopeless(db: Db, source_id: string, tracks: readonly TrackName[]): Promise<boolean> {
  const [row] = await db`
    select from media_windows as kept
    where source_id = ${source_id} and track = any(${tracks}::text[]) and made_at is null and hopeless_window(kept)
    limit 1
  `
  return row !== undefined
}
