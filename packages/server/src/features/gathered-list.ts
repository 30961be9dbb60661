import { limits, type Resource } from '@zoetrope/contract'
import { type Fragment, raw, sql } from '../db/fragment.js'
import { renderExpression } from '../resources/columns.js'
import type { Answer, Call } from '../resources/feature.js'
import { type PageRequest, pagination } from '../resources/pagination.js'
import { project } from '../resources/projection.js'

/** Records that no index provides in the requested order. */
interface Gathered {
  readonly resource: Resource
  /** The rows, with every column of the resource. */
  readonly rows: Fragment
  /** The sort key and its type. Cursors require that it is never null. */
  readonly key: Fragment
  readonly type: string
}

/** The result of a page query: its records, one extra if there are more, and their keys and ids for a cursor. */
export interface FoundPage {
  readonly total: string
  readonly keys: readonly string[] | null
  readonly ids: readonly string[] | null
  readonly records: readonly string[] | null
}

/** Reads all records, sorts them and returns a page, so every page costs as much as the whole list. */
export async function listGathered(call: Call, request: PageRequest, gathered: Gathered): Promise<Answer> {
  const [row] = await call.parts.database.searching.run<FoundPage[]>(statement(request, gathered))
  return answerPage(call, request, row)
}

export function answerPage({ query }: Call, request: PageRequest, found: FoundPage | undefined): Answer {
  const { perPage, cursor } = request
  const records = found?.records ?? []
  const [value, id] = [found?.keys?.[perPage - 1], found?.ids?.[perPage - 1]]
  const isCut = records.length > perPage && value !== undefined && id !== undefined
  const total = Number(found?.total ?? 0)
  const counted = cursor ?? { total, isExact: total < limits.gathered.value }
  const place = pagination(request, counted, isCut ? { value, id } : undefined)
  const shown = records.slice(0, perPage).map((record) => project(query, record))
  return { json: `{"response":[${shown.join(',')}],"pagination":${JSON.stringify(place)}}` }
}

function statement(
  { order, page, perPage, cursor }: PageRequest,
  { resource, rows, key, type }: Gathered,
): Fragment {
  const walk = order === 'desc' ? sql`desc` : sql`asc`
  const beyond = cursor
    ? sql`where (sort_key, _id) ${order === 'desc' ? sql`<` : sql`>`} (${cursor.value}::text::${raw(type)}, ${cursor.id})`
    : sql``
  const inOrder = sql`order by sort_key ${walk}, _id ${walk}`
  return sql`
    with found as materialized (
      select *, ${key} as sort_key from (${rows}) as rows limit ${limits.gathered.value}
    ), page as (
      select * from found ${beyond} ${inOrder} offset ${cursor ? 0 : page * perPage} limit ${perPage + 1}
    )
    select (select count(*) from found) as total, array_agg(sort_key::text ${inOrder}) as keys, array_agg(_id ${inOrder}) as ids,
      array_agg(${raw(renderExpression(resource))} ${inOrder}) as records
    from page
  `
}
