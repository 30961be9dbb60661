import { crc32 } from 'node:zlib'
import { limits, type Pagination, type Resource } from '@zoetrope/contract'
import { invalid, invalidParameter, unknownCursor } from '../errors.js'
import { isId } from '../lib/object-id.js'
import type { Call, Total } from './feature.js'
import { type ListOrder, type Order, readOrder } from './order.js'
import type { Query } from './projection.js'

/** The record after which the next page begins, and the total when the first page was read. */
export interface Cursor extends Total {
  readonly value: string
  readonly id: string
}

export interface PageRequest extends ListOrder {
  /** Counted from zero, even if the caller counts from one. */
  readonly page: number
  readonly perPage: number
  readonly firstPage: number
  readonly cursor: Cursor | undefined
}

/** The caller and the query of a list request, with the function that reports ignored parameters. */
type PageAsker = Pick<Call, 'query' | 'notice'> & {
  readonly principal: { readonly firstPage: number }
}

export function readPageRequest(resource: Resource, asker: PageAsker): PageRequest {
  const { query } = asker
  const { firstPage } = asker.principal
  const perPage = whole(query, 'per_page', 1) ?? 10
  const asked = whole(query, 'page', 0)
  const { sort, order } = readOrder(resource, asker)
  return {
    page: Math.max((asked ?? firstPage) - firstPage, 0),
    perPage: Math.min(perPage, limits.per_page.value),
    firstPage,
    sort,
    order,
    cursor: readCursor(query.cursor, sort, order),
  }
}

function whole(query: Query, name: string, min: number): number | undefined {
  const value = Object.hasOwn(query, name) ? query[name] : undefined
  if (value === undefined || value === '') return undefined
  if (!/^\+?\d{1,15}$/.test(String(value)) || Number(value) < min)
    throw invalidParameter(name, `must be a whole number${min === 1 ? ' above 0' : ', 0 or above'}`)
  if (name === 'page' && Number(value) > limits.page.value)
    throw invalid(`page must be at most ${limits.page.value}.`, { page: ['is too high'] })
  return Number(value)
}

export const writeCursor = ({ sort, order }: PageRequest, { value, id, total, isExact }: Cursor): string =>
  encode(JSON.stringify([sort, order, value, id, total, isExact]))

const checkLength = 8

/** Cursors begin with a checksum, so that a damaged one is refused instead of continuing at the wrong record. */
function encode(json: string): string {
  const check = crc32(json).toString(16).padStart(checkLength, '0')
  return check + Buffer.from(json).toString('base64url')
}

function readCursor(given: unknown, sort: string, order: Order): Cursor | undefined {
  if (given === undefined || given === '') return undefined
  const [ofSort, ofOrder, value, id, total, isExact] = parse(given)
  if (typeof value !== 'string' || !fits(value) || !isId(String(id)) || !Number.isSafeInteger(total))
    throw unknownCursor()
  if (ofSort !== sort || ofOrder !== order)
    throw invalidParameter('cursor', 'belongs to another sort or order')
  return { value, id: String(id), total: total as number, isExact: isExact === true }
}

const fits = (value: string) => value.length <= 2000 && !value.includes('\u0000') && value.isWellFormed()

/** The parts of a cursor, or an empty list. */
function parse(given: unknown): unknown[] {
  try {
    const json = Buffer.from(String(given).slice(checkLength), 'base64url').toString('utf8')
    return encode(json) === given ? [JSON.parse(json)].flat() : []
  } catch {
    return []
  }
}

/** The `pagination` element of a list. `last` is the last record on the page, if others follow. */
export function pagination(
  request: PageRequest,
  { total, isExact }: Total,
  last: Pick<Cursor, 'value' | 'id'> | undefined,
): Pagination {
  const { page, perPage, firstPage, cursor } = request
  const pages = Math.ceil(total / perPage)
  const byPage = cursor === undefined
  const hasNext = page + 1 < pages || (!isExact && last !== undefined)
  return {
    current: page + firstPage,
    previous: byPage && page > 0 ? page - 1 + firstPage : null,
    next: byPage && hasNext ? page + 1 + firstPage : null,
    per_page: perPage,
    pages,
    total,
    ...(isExact ? {} : { pages_exact: false }),
    next_cursor: last ? writeCursor(request, { total, isExact, ...last }) : null,
  }
}
