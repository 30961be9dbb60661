import { countedList, hidingField, publishes, type Resource, secretFields } from '@zoetrope/contract'
import { seesHidden } from '../auth/access.js'
import { allOf, type Fragment, raw, sql } from '../db/fragment.js'
import { forbidden } from '../errors.js'
import { type ActiveFilter, hiddenBy, notAmong, readShown } from '../lists/shown.js'
import { quoted, reveal } from './columns.js'
import type { Answer, Call } from './feature.js'
import { filterConditions, isPlain } from './filters.js'
import { type ListRequest, readCurrentPage, separator } from './pages.js'
import { pagination, readPageRequest } from './pagination.js'
import { flagIn, project } from './projection.js'
import { type NarrowSearch, narrowMatches, searchConditions } from './search.js'
import { type KeptRows, type Scope, table, withinScope } from './store.js'

/**
 * Returns one page of records and its position among all pages. With `among`, only records that match it; `narrow` finds
 * the same ones without reading the table of the records.
 */
export async function list(call: Call, among?: Fragment, narrow?: NarrowSearch): Promise<Answer> {
  const { parts, resource, query } = call
  const asked = understand(call, readRemoved(resource, query, publishes(call.principal.kind)), among, narrow)
  const page = await readCurrentPage(parts, asked)

  const { request } = asked
  const records = page.length > request.perPage ? withoutLast(page.records) : page.records
  const shown = Math.min(page.length, request.perPage)
  const more =
    page.length > shown ||
    (!request.cursor && request.page * request.perPage + shown < page.total && shown > 0)
  const place = pagination(request, page, more ? lastOf(records, request.sort) : undefined)
  const json = Buffer.concat([
    opening,
    finish(call, records),
    Buffer.from(`],"pagination":${JSON.stringify(place)}}`),
  ])
  return { json, total: page, ...(asked.versioned ? { version: page.version } : {}) }
}

const opening = Buffer.from('{"response":[')

const withoutLast = (records: Buffer) => records.subarray(0, records.lastIndexOf(separator))

/** The beginning of every record. It is enough for a cursor in order of creation. */
const beginning = /^\s*\{"_id":"([0-9a-f]{24})","site_id":"[0-9a-f]{24}","created_at":"([^"]+)"/

/** The position of the last record in the order, where the next page continues. A missing value counts as -1. */
function lastOf(records: Buffer, sort: string): { value: string; id: string } {
  const last = records.subarray(records.lastIndexOf(separator) + 1)
  const [, id = '', created = ''] = beginning.exec(last.toString('latin1', 0, 150)) ?? []
  if (sort === 'created_at' && id) return { value: created, id }
  const record = JSON.parse(last.toString()) as Record<string, unknown>
  return { value: String(record[sort] ?? -1), id: String(record._id) }
}

/** Sends most lists as PostgreSQL returns them. Otherwise reveals secrets and removes fields, record by record. */
function finish({ resource, query, parts }: Call, records: Buffer): Buffer {
  if (records.length === 0 || (!query.response_fields && secretFields(resource).length === 0)) return records
  const finished = records
    .toString()
    .split(separator)
    .map((record) => project(query, reveal(resource, parts.sealer, record)))
  return Buffer.from(finished.join(separator))
}

function understand(call: Call, removed: boolean, among?: Fragment, given?: NarrowSearch): ListRequest {
  const { resource, principal, scope, query } = call
  const shown = readShown(resource, query, seesHidden(principal, resource))
  const request = readPageRequest(resource, call)
  const searches = searchConditions(resource, query.q, scope.site_id)
  const conditions = [...filterConditions(resource, query), ...searches]
  const unfiltered = !among && conditions.length === 0
  const within = listed(resource, scope, shown, removed ? 'removed' : 'present')
  const whereAnd = (last = sql`true`) => allOf([within, ...conditions, last])
  // `among` that is not the search itself restricts the records in a way that the narrow table cannot.
  const isSearchOnly = given ? conditions.length === 0 : !among && conditions.length === 1
  const isAlone = isSearchOnly && request.sort === 'created_at'
  const all = { from: table(resource), where: whereAnd(among) }
  return {
    resource,
    siteId: scope.site_id,
    list: resource.plural,
    request,
    shown,
    hidden: hiddenIn(resource, scope, shown),
    within,
    where: whereAnd(given?.walked ?? among),
    // The narrow table has no other columns to filter or sort by.
    matches: (isAlone && narrowMatches(call, within, given)) || all,
    plain: !among && searches.length === 0 && isPlain(resource, query) && isIndexed(resource, request.sort),
    whole: unfiltered && !removed,
    versioned: isVersioned(resource, removed, among),
    unfiltered,
  }
}

/** The version counts changes of existing records. Purging deleted ones, and changes of other tables, do not change it. */
const isVersioned = (resource: Resource, removed: boolean, among: Fragment | undefined) =>
  countedList(resource) !== undefined && !removed && !among

/** Orders by time and text have an index. To order by a number, PostgreSQL reads and sorts a channel's records. */
const isIndexed = (resource: Resource, sort: string) =>
  ['timestamp', 'text'].includes(resource.fields[sort]?.kind ?? '')

/** Matches the records of a list, without its filters. */
export function listed(resource: Resource, scope: Scope, shown: ActiveFilter, which?: KeptRows): Fragment {
  const all = withinScope(resource, scope, true, which)
  const flag = hidingField(resource)
  if (flag === undefined || shown === 'all') return all
  const hidden = hiddenIn(resource, scope, shown)
  const others = hidden ? notAmong(sql`select _id from ${table(resource)} where ${hidden}`) : sql``
  return sql`${all} and ${shown ? sql`` : sql`not`} ${raw(quoted(flag))} ${others}`
}

/** Matches active records that are not in the list because viewers do not see them, if there can be any. */
export function hiddenIn(resource: Resource, scope: Scope, shown: ActiveFilter): Fragment | undefined {
  const hidden = shown === 'seen' ? hiddenBy(resource) : undefined
  return hidden && sql`${listed(resource, scope, true)} and ${hidden}`
}

/** Whether the request asks for deleted records, which only publishers see. */
export function readRemoved(resource: Resource, query: Call['query'], mayChoose: boolean): boolean {
  const removed = resource.keptDays !== undefined && flagIn(query, 'deleted')
  if (removed && !mayChoose) throw forbidden(`Only the admin key may see deleted ${resource.plural}.`)
  return removed
}
