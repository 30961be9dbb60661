import { limits, type Resource } from '@zoetrope/contract'
import { type Fragment, raw, run, sql } from '../db/fragment.js'
import { renderExpression } from '../resources/columns.js'
import type { Answer, Call } from '../resources/feature.js'
import { type PageRequest, pagination } from '../resources/pagination.js'
import { project } from '../resources/projection.js'

/** Records that no index has in the order wanted. */
interface Gathered {
  readonly resource: Resource
  /** The rows, with every column of the resource. */
  readonly rows: Fragment
  /** What they are ordered by, never null, and its type: a cursor goes on after any of them. */
  readonly key: Fragment
  readonly type: string
}

/** What a statement found of a page: its records, one more than fits where there are more, and what a cursor remembers of each. */
export interface FoundPage {
  readonly total: string
  readonly keys: readonly string[] | null
  readonly ids: readonly string[] | null
  readonly records: readonly string[] | null
}

/** A page of records that are gathered first and put in order then, so that it costs what all of them cost. */
export async function listGathered(call: Call, request: PageRequest, gathered: Gathered): Promise<Answer> {
  const [row] = await run<FoundPage>(call.parts.database.searching, statement(request, gathered))
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
