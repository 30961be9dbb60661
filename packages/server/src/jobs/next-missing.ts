import type { Db } from '../db/database.js'
import type { TrackName } from '../media-segments/segments.js'

export interface Missing {
  readonly track: TrackName
  readonly number: number
}

/** The first window of these tracks, in their order, that is neither made nor given up. */
export async function nextMissing(
  db: Db,
  source_id: string,
  tracks: readonly TrackName[],
  windows: number,
): Promise<Missing | undefined> {
  const [missing] = await db<Missing[]>`
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

/** Whether a part of these tracks was tried often enough. */
export async function isHopeless(db: Db, source_id: string, tracks: readonly TrackName[]): Promise<boolean> {
  const [row] = await db`
    select from media_windows as kept
    where source_id = ${source_id} and track = any(${tracks}::text[]) and made_at is null and hopeless_window(kept)
    limit 1
  `
  return row !== undefined
}
