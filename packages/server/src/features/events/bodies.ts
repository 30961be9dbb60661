import type { Db } from '../../db/database.js'
import { type Fragment, sql } from '../../db/fragment.js'
import { type EventRow, eventColumns, eventRecords } from './record.js'

/** The events with these ids as JSON, by id. Those that are no longer kept are missing. */
export async function eventBodies(
  db: Db,
  events: readonly { readonly site_id: string; readonly event_id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const bodies = new Map<string, string>()
  for (const site_id of new Set(events.map((event) => event.site_id))) {
    const ids = events.filter((event) => event.site_id === site_id).map(({ event_id }) => event_id)
    const rows = await db<EventRow[]>`
      select ${eventColumns} from events
      where site_id = ${site_id} and _id = any(${[...new Set(ids)]}::text[]) and ${isWithin(ids.sort())}
    `
    const records = await eventRecords(db, site_id, rows)
    for (const [index, { _id }] of rows.entries()) bodies.set(_id, records[index] ?? '{}')
  }
  return bodies
}

/** Ids begin with the second, so PostgreSQL need not search all partitions. */
function isWithin(ids: readonly string[]): Fragment {
  const secondOf = (id = '') => Number.parseInt(id.slice(0, 8), 16) * 1000
  const [from, to] = [new Date(secondOf(ids[0])), new Date(secondOf(ids.at(-1)) + 1000)]
  return sql`created_at >= ${from} and created_at <= ${to}`
}
