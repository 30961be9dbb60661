import { limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { type Fragment, sql } from '../../db/fragment.js'
import { invalid, invalidParameter } from '../../errors.js'
import { isId } from '../../lib/object-id.js'
import { matchesAnyEvent } from '../../webhooks/pattern.js'

/** Where an event is among all events of its channel. */
export interface EventPosition {
  readonly xact: string
  readonly id: string
}

type EventQuery = Readonly<Record<string, unknown>>

/** The conditions of the parameters that are no filters of fields. */
export function eventConditions(query: EventQuery): readonly Fragment[] {
  const types = typesIn(query.type)
  const actor = wordIn(query, 'actor')
  return [
    ...(types.length > 0 ? [sql`type like any(${types}::text[])`] : []),
    ...(actor === undefined
      ? []
      : [sql`${actor} in (actor, split_part(actor, ' ', 1), split_part(actor, ' ', 2))`]),
  ]
}

function wordIn(query: EventQuery, name: string): string | undefined {
  const value = query[name]
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string' && value.length <= limits.filter_length.value) return value
  throw invalidParameter(name, 'must be a text')
}

/** Types as patterns of SQL. */
function typesIn(given: unknown): string[] {
  if (given === undefined || given === '') return []
  const globs = [given].flat().flatMap((each) => String(each).split(','))
  return globs.map((glob) => {
    const type = glob.trim()
    if (!/^[a-z_*]{1,100}(\.[a-z_*]{1,100})?$/.test(type))
      throw invalid('type must name types of events, such as video.created or video.*.', {
        type: ['is not a type of event'],
      })
    if (!matchesAnyEvent(type)) throw invalidParameter('type', `has ${type}, which matches no type of event`)
    return type.replaceAll('_', '\\_').replaceAll('*', '%')
  })
}

/** The position of the event that a parameter names. */
export async function positionIn(
  db: Db,
  site_id: string,
  query: EventQuery,
  name: 'after' | 'before',
): Promise<EventPosition | undefined> {
  const id = wordIn(query, name)
  if (id === undefined) return undefined
  const position = await positionOf(db, site_id, id)
  if (position) return position
  throw invalidParameter(name, 'is not the id of an event that is still kept')
}

/** The position of an event; undefined if it does not exist, or not any more. */
export async function positionOf(db: Db, site_id: string, id: string): Promise<EventPosition | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db<{ xact: string }[]>`
    select xact::text as xact from events where site_id = ${site_id} and ${isEvent(id)}
  `
  return row && { xact: row.xact, id }
}

/** Ids begin with the second, so PostgreSQL need not search all partitions. */
export function isEvent(id: string): Fragment {
  const from = new Date(Number.parseInt(id.slice(0, 8), 16) * 1000)
  return sql`_id = ${id} and created_at >= ${from} and created_at <= ${new Date(from.getTime() + 1000)}`
}

/** Events of other transactions can still appear among those that are not settled. */
export const isSettled = sql`xact < pg_snapshot_xmin(pg_current_snapshot())`

export const isAfter = ({ xact, id }: EventPosition): Fragment =>
  sql`(xact, _id) > (${xact}::text::xid8, ${id}::text)`
export const isBefore = ({ xact, id }: EventPosition): Fragment =>
  sql`(xact, _id) < (${xact}::text::xid8, ${id}::text)`
