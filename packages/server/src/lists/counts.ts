import type { Db } from '../db/database.js'
import { type Fragment, raw, sql } from '../db/fragment.js'
import type { ActiveFilter } from './shown.js'

/** A list whose records are counted by day. */
export interface DayList {
  readonly siteId: string
  readonly list: string
  readonly shown: ActiveFilter
  /** Matches records that are counted as active and are hidden from those who ask. There are few, and an index finds them. */
  readonly hidden?: Fragment | undefined
}

/** The number of records created per day, oldest first, at one version of the list. */
export interface Counts {
  readonly version: number
  readonly total: number
  /** Starts of the days, in milliseconds since 1970. */
  readonly starts: readonly number[]
  /** Records created before the day with the same index. */
  readonly before: readonly number[]
}

/** Where a page begins: skip `offset` records from `boundary` in list order. */
export interface Start {
  readonly boundary: Date | undefined
  readonly offset: number
}

const dayMs = 86_400_000
const minuteMs = 60_000
/** For fewer records to skip, a finer count costs more than skipping them. */
const fineAbove = 2500

const activeValues = (shown: ActiveFilter) => (shown === 'all' ? [true, false] : [shown !== false])

/** Takes the hidden records from the counts by this unit of time. */
const withoutHidden = ({ list, hidden }: DayList, unit: 'day' | 'minute', among = sql`true`) =>
  hidden
    ? sql`union all select date_trunc(${raw(`'${unit}'`)}, created_at, 'UTC'), -1 from ${raw(list)} where ${hidden} and ${among}`
    : sql``

export async function readCounts(db: Db, asked: DayList): Promise<Counts> {
  const { siteId, list, shown } = asked
  const active = activeValues(shown)
  const rows = await db<{ start: Date; total: string; version: string }[]>`
    select start, sum(total) as total, (select list_version(${siteId}, ${list})) as version
    from (
      select day as start, total from list_days
      where site_id = ${siteId} and list = ${list} and active = any(${active})
      union all
      select date_trunc('day', minute, 'UTC'), delta from list_changes
      where site_id = ${siteId} and list = ${list} and active = any(${active})
      ${withoutHidden(asked, 'day')}
      union all
      select 'epoch'::timestamptz, 0
    ) as days
    group by start order by start
  `
  return { version: Number(rows[0]?.version ?? 0), ...sums(rows) }
}

function sums(rows: readonly { start: Date; total: string }[]): Pick<Counts, 'total' | 'starts' | 'before'> {
  const before: number[] = []
  let total = 0
  for (const row of rows) {
    before.push(total)
    total += Number(row.total)
  }
  return { total, starts: rows.map(({ start }) => start.getTime()), before }
}

/** The index of the last entry whose `before` is at most `position`. */
function entryOf(before: readonly number[], position: number): number {
  let low = 0
  let high = before.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((before[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

function startIn(
  counts: Pick<Counts, 'total' | 'starts' | 'before'>,
  widthMs: number,
  order: 'asc' | 'desc',
  offset: number,
): Start {
  if (order === 'asc') {
    const entry = entryOf(counts.before, offset)
    return { boundary: new Date(counts.starts[entry] ?? 0), offset: offset - (counts.before[entry] ?? 0) }
  }
  // From the newest end, the record is at total - 1 - offset.
  const entry = entryOf(counts.before, counts.total - 1 - offset)
  const after = counts.total - (counts.before[entry + 1] ?? counts.total)
  return { boundary: new Date((counts.starts[entry] ?? 0) + widthMs), offset: offset - after }
}

/** Locates the record at `offset` in order of creation. Returns undefined if the list changed since it was counted. */
export async function locate(
  db: Db,
  counts: Counts,
  asked: DayList,
  order: 'asc' | 'desc',
  offset: number,
): Promise<Start | undefined> {
  if (offset <= fineAbove) return { boundary: undefined, offset }
  const inDay = startIn(counts, dayMs, order, offset)
  if (inDay.offset <= fineAbove || !inDay.boundary) return inDay
  const day = new Date(inDay.boundary.getTime() - (order === 'desc' ? dayMs : 0))
  const { siteId, list } = asked
  const active = activeValues(asked.shown)
  const ofDay = (time: Fragment) =>
    sql`${time} >= ${day} and ${time} < ${day}::timestamptz + interval '1 day'`
  const rows = await db<{ start: Date; total: string; version: string }[]>`
    select start, sum(total) as total, (select list_version(${siteId}, ${list})) as version
    from (
      select minute as start, total from list_minutes
      where site_id = ${siteId} and list = ${list} and active = any(${active})
        and ${ofDay(sql`minute`)}
      union all
      select minute, delta from list_changes
      where site_id = ${siteId} and list = ${list} and active = any(${active})
        and ${ofDay(sql`minute`)}
      ${withoutHidden(asked, 'minute', ofDay(sql`created_at`))}
    ) as minutes
    group by start order by start
  `
  if (Number(rows[0]?.version) !== counts.version) return undefined
  return startIn(sums(rows), minuteMs, order, inDay.offset)
}
