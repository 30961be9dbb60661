import { catalog, limits } from '@zoetrope/contract'
import { type Fragment, raw, run, sql } from '../db/fragment.js'
import { renderExpression, sortExpression, sortType } from '../resources/columns.js'
import type { Answer, Call } from '../resources/feature.js'
import { filterConditions } from '../resources/filters.js'
import { type PageRequest, pagination, readPageRequest } from '../resources/pagination.js'
import { project } from '../resources/projection.js'

const { own_video_entitlements: resource } = catalog

interface Row {
  readonly total: string
  readonly keys: readonly string[] | null
  readonly records: readonly string[] | null
}

/** What somebody may watch who was given playlists too: films by name and films of those, gathered and put in order. */
export async function listOwnVideos({ parts, scope, principal, query }: Call): Promise<Answer> {
  const request = readPageRequest(resource, query, principal.firstPage)
  const { perPage, cursor } = request
  const [row] = await run<Row>(parts.database.searching, pageOf(request, foundBy(scope, query)))
  const records = row?.records ?? []
  const last = records[perPage - 1]
  const next =
    records.length > perPage && last ? { value: row?.keys?.[perPage - 1] ?? '', id: idOf(last) } : undefined
  const place = pagination(request, cursor?.total ?? Number(row?.total ?? 0), next)
  const shown = records.slice(0, perPage).map((record) => project(query, record))
  return { json: `{"response":[${shown.join(',')}],"pagination":${JSON.stringify(place)}}` }
}

const idOf = (record: string): string => (JSON.parse(record) as { readonly _id: string })._id

function foundBy({ site_id, consumer_id }: Call['scope'], query: Call['query']): Fragment {
  const where = filterConditions(resource, query).reduce(
    (left, right) => sql`${left} and ${right}`,
    sql`site_id = ${site_id} and consumer_id = ${consumer_id}`,
  )
  return sql`select * from own_video_entitlements where ${where} limit ${limits.counted.value}`
}

function pageOf({ sort, order, page, perPage, cursor }: PageRequest, found: Fragment): Fragment {
  const key = raw(sortExpression(resource, sort))
  const walk = order === 'desc' ? sql`desc` : sql`asc`
  const beyond = cursor
    ? sql`where (${key}, _id) ${order === 'desc' ? sql`<` : sql`>`} (${cursor.value}::text::${raw(sortType(resource, sort))}, ${cursor.id})`
    : sql``
  return sql`
    with found as materialized (${found}), page as (
      select * from found ${beyond} order by ${key} ${walk}, _id ${walk}
      offset ${cursor ? 0 : page * perPage} limit ${perPage + 1}
    )
    select (select count(*) from found) as total, array_agg(iso(${key}) order by ${key} ${walk}, _id ${walk}) as keys,
      array_agg(${raw(renderExpression(resource))} order by ${key} ${walk}, _id ${walk}) as records
    from page
  `
}
