import type { Resource } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { sql } from '../../db/fragment.js'
import { isId } from '../../lib/object-id.js'
import { type EventRow, eventColumns } from './record.js'

/** More events of one record than this are not the work of one request. */
const most = 10

/**
 * The events that the current write has made about a record, the newest first. Without an id, the request has
 * created the record, or it is the only one of its kind.
 */
export async function eventsOfWrite(
  tx: Db,
  site_id: string,
  { plural, derived, single }: Pick<Resource, 'plural' | 'derived' | 'single'>,
  id: string,
): Promise<readonly EventRow[]> {
  if (derived) return []
  const created = sql`type like any(array['%.created', '%.granted'])`
  const isIt = single ? sql`true` : isId(id) ? sql`record_id = ${id}` : created
  return tx<EventRow[]>`
    select ${eventColumns} from events
    where site_id = ${site_id} and xact = pg_current_xact_id() and step = current_step() and resource = ${plural}
      and type is not null and ${isIt}
      and created_at >= now() - interval '1 second'
    order by _id desc limit ${most}
  `
}
