import { allOf, type Fragment, sql } from '../../db/fragment.js'
import { notFound, unknownCursor } from '../../errors.js'
import { isId } from '../../lib/object-id.js'
import type { Answer, Call } from '../../resources/feature.js'
import { filterConditions } from '../../resources/filters.js'
import { pagination, readPageRequest } from '../../resources/pagination.js'
import { project } from '../../resources/projection.js'
import { answer } from '../../resources/standard.js'
import { readableTables } from './readable.js'
import { type EventRow, eventColumns, eventRecords } from './record.js'
import {
  type EventPosition,
  eventConditions,
  isAfter,
  isBefore,
  isEvent,
  isSettled,
  positionIn,
} from './request.js'

/** What a caller may read and asks for. */
export const conditionsOf = (call: Pick<Call, 'resource' | 'principal' | 'scope' | 'query'>): Fragment => {
  const { resource, principal, scope, query } = call
  const tables = readableTables(principal)
  const readable = sql`site_id = ${scope.site_id} and type is not null and resource = any(${tables}::text[])`
  return allOf([readable, ...filterConditions(resource, query), ...eventConditions(query)])
}

/** Filters of events may also name updated_at, which is when they were created. */
export const eventRows = sql`(select *, created_at as updated_at from events) as events`

/**
 * Lists events. Readers who follow them, oldest first or after one they know, only see those before which none can appear
 * any more; others see all.
 */
export async function listEvents(call: Call): Promise<Answer> {
  const { parts, resource, scope, query } = call
  const { db, searching } = parts.database
  const request = readPageRequest(resource, call)
  const { order, page, perPage, cursor } = request
  const [after, before] = await Promise.all([
    positionIn(db, scope.site_id, query, 'after'),
    positionIn(db, scope.site_id, query, 'before'),
  ])
  const beyond = order === 'asc' ? isAfter : isBefore
  const limits = allOf([
    conditionsOf(call),
    ...(after ? [isAfter(after)] : []),
    ...(before ? [isBefore(before)] : []),
    ...(cursor ? [beyond(cursorPosition(cursor))] : []),
    ...(after || order === 'asc' ? [isSettled] : []),
  ])
  const walk = order === 'asc' ? sql`asc` : sql`desc`
  const rows = await searching<EventRow[]>`
    select ${eventColumns} from ${eventRows} where ${limits}
    order by events.xact ${walk}, _id ${walk} offset ${cursor ? 0 : page * perPage} limit ${perPage + 1}
  `
  const shown = rows.slice(0, perPage)
  const last = rows.length > perPage ? shown.at(-1) : undefined
  const total = page * perPage + rows.length
  const place = pagination(
    request,
    { total, isExact: last === undefined },
    last && { value: last.xact, id: last._id },
  )
  const records = (await eventRecords(db, scope.site_id, shown)).map((record) => project(query, record))
  return { json: `{"response":[${records.join(',')}],"pagination":${JSON.stringify(place)}}` }
}

function cursorPosition({ value, id }: { readonly value: string; readonly id: string }): EventPosition {
  if (!/^\d{1,19}$/.test(value)) throw unknownCursor()
  return { xact: value, id }
}

/** The event, if the caller may read it. */
export async function findEvent(call: Pick<Call, 'parts' | 'principal' | 'scope' | 'id'>): Promise<EventRow> {
  const { parts, principal, scope, id } = call
  const tables = readableTables(principal)
  const [row] = isId(id)
    ? await parts.database.db<EventRow[]>`
      select ${eventColumns} from events
      where site_id = ${scope.site_id} and ${isEvent(id)} and type is not null and resource = any(${tables}::text[])
    `
    : []
  if (!row) throw notFound('event')
  return row
}

export async function getEvent(call: Call): Promise<Answer> {
  const { parts, scope, query } = call
  const [record = '{}'] = await eventRecords(parts.database.db, scope.site_id, [await findEvent(call)])
  return answer(project(query, record))
}
