import { hidingField, type Resource } from '@zoetrope/contract'
import { seesHidden } from '../auth/access.js'
import { forbidden, invalid } from '../errors.js'
import type { Shown } from '../lists/counts.js'
import { quoted, reveal } from './columns.js'
import type { Answer, Call } from './feature.js'
import { filterConditions, readFlag } from './filters.js'
import { type Asked, readPage } from './pages.js'
import { pagination, readPageRequest } from './pagination.js'
import { project } from './projection.js'
import { searchConditions } from './search.js'
import { withinScope } from './store.js'

/** One page of records with its place among all pages, counted exactly. */
export async function list(call: Call): Promise<Answer> {
  const { parts, resource, scope, query } = call
  const removed = readRemoved(resource, query, call.principal.kind === 'admin')
  const asked = understand(call, removed)
  const reading = parts.freshness.begin(scope.site_id, resource.plural)
  const page = await readPage(parts.database, asked)
  parts.freshness.saw(reading, page.version)

  const { request } = asked
  const rows = page.rows.slice(0, request.perPage)
  const last = rows.at(-1)
  const more = request.cursor
    ? page.rows.length > rows.length
    : request.page * request.perPage + rows.length < page.total
  const place = pagination(
    request,
    page.total,
    more && last ? { value: last.key ?? '', id: last._id ?? '' } : undefined,
  )
  const records = rows.map(({ json }) => project(query, reveal(resource, parts.sealer, json ?? '{}')))
  const json = `{"response":[${records.join(',')}],"pagination":${JSON.stringify(place)}}`
  // The version follows the records that are there; removed ones are purged without changing it.
  return resource.counted && !removed ? { json, version: page.version } : { json }
}

function understand({ parts, resource, principal, scope, query }: Call, removed: boolean): Asked {
  const { db } = parts.database
  const shown = readShown(resource, query, seesHidden(principal, resource))
  const searches = searchConditions(db, resource, query.q)
  const conditions = [...filterConditions(db, resource, query), ...searches]
  const hides = hidingField(resource)
  if (hides && shown === false) conditions.push(db`not ${db.unsafe(quoted(hides))}`)
  const where = conditions.reduce(
    (left, right) => db`${left} and ${right}`,
    withinScope(db, resource, scope, shown !== true, removed),
  )
  return {
    resource,
    siteId: scope.site_id,
    request: readPageRequest(resource, query, principal.firstPage),
    shown,
    where,
    searched: searches.length > 0,
    whole: conditions.length === (hides && shown === false ? 1 : 0) && !removed && resource.counted,
  }
}

/** Lists show active records unless the admin key asks for others. */
function readShown(resource: Resource, query: Call['query'], mayChoose: boolean): Shown {
  const hides = hidingField(resource)
  if (!hides) return 'all'
  const given = query[hides]
  if (given === undefined || given === '') return true
  const shown = given === 'all' ? 'all' : readFlag(String(given))
  if (shown === undefined)
    throw invalid(`${hides} must be true, false or all.`, { [hides]: ['must be true, false or all'] })
  if (shown !== true && !mayChoose)
    throw forbidden(`Only the admin key may list ${resource.plural} that are not active.`)
  return shown
}

function readRemoved(resource: Resource, query: Call['query'], mayChoose: boolean): boolean {
  if (resource.keptDays === undefined || query.deleted === undefined || query.deleted === '') return false
  const removed = readFlag(String(query.deleted))
  if (removed === undefined)
    throw invalid('deleted must be true or false.', { deleted: ['must be true or false'] })
  if (removed && !mayChoose) throw forbidden(`Only the admin key may list deleted ${resource.plural}.`)
  return removed
}
