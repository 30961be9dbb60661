import { type Fragment, sql } from '../../db/fragment.js'
import type { Call, Parts } from '../../resources/feature.js'
import { conditionsOf, eventRows } from './read.js'
import { type EventRow, eventColumns, eventRecords } from './record.js'
import { type EventPosition, isAfter } from './request.js'

type Following = Pick<Call, 'resource' | 'principal' | 'scope' | 'query'>

/** An event as a stream sends it. */
export interface FollowedEvent extends EventPosition {
  readonly type: string
  readonly record: string
}

export const followedAtOnce = 100

/** The first transaction that may still add events. All events before it are there. */
export async function eventHorizon({ database: { db } }: Pick<Parts, 'database'>): Promise<string> {
  const [row] = await db<{ horizon: string }[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon
  `
  return row?.horizon ?? '0'
}

const isWithin = (from: EventPosition, horizon: string): Fragment =>
  sql`${isAfter(from)} and xact < ${horizon}::text::xid8`

/** Whether a channel has events between two positions. */
export async function hasEvents(
  { database: { db } }: Pick<Parts, 'database'>,
  site_id: string,
  from: EventPosition,
  horizon: string,
): Promise<boolean> {
  const rows = await db`
    select from events where site_id = ${site_id} and type is not null and ${isWithin(from, horizon)} limit 1
  `
  return rows.length > 0
}

/** The next events that a reader follows, in order. */
export async function eventsAfter(
  parts: Pick<Parts, 'database'>,
  following: Following,
  from: EventPosition,
  horizon: string,
): Promise<readonly FollowedEvent[]> {
  // A reader may be far behind, and its filters may match little.
  const db = parts.database.searching
  const rows = await db<EventRow[]>`
    select ${eventColumns} from ${eventRows} where ${conditionsOf(following)} and ${isWithin(from, horizon)}
    order by events.xact, _id limit ${followedAtOnce}
  `
  const records = await eventRecords(db, following.scope.site_id, rows)
  return rows.map(({ _id, xact, type }, index) => ({ id: _id, xact, type, record: records[index] ?? '{}' }))
}
