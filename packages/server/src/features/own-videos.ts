import { catalog, type Resource } from '@zoetrope/contract'
import { allOf, type Fragment, raw, sql } from '../db/fragment.js'
import { unknownCursor } from '../errors.js'
import { quoted, renderExpression, sortExpression, sortType } from '../resources/columns.js'
import type { Answer, Call } from '../resources/feature.js'
import { filterConditions } from '../resources/filters.js'
import { type PageRequest, readPageRequest } from '../resources/pagination.js'
import { searchConditions } from '../resources/search.js'
import { answerPage, type FoundPage, listGathered } from './gathered-list.js'

const { own_video_entitlements: resource } = catalog

/** Lists the videos of a consumer who is also entitled to playlists: single ones, and those of the playlists. */
export function listOwnVideos(call: Call): Promise<Answer> {
  const request = requestOf(call)
  const conditions = conditionsOf(call)
  if (conditions.length === 0) return listInOrder(call, request)
  const where = allOf([ofConsumer(call), ...conditions])
  return listGathered(call, request, {
    resource,
    rows: sql`select * from own_video_entitlements where ${where}`,
    key: raw(sortExpression(resource, request.sort)),
    type: sortType(resource, request.sort),
  })
}

const requestOf = (call: Call) => readPageRequest(resource, call)

const conditionsOf = (call: Call) => [
  ...filterConditions(resource, call.query),
  ...titled(call, catalog.videos),
]

/**
 * Returns the kind of list that a cursor continues: single videos only, or those of playlists too. Entitlements granted
 * or revoked since do not change it.
 */
export function wayOfCursor(call: Call): 'names' | 'playlists' | undefined {
  const { cursor } = requestOf(call)
  if (!cursor || conditionsOf(call).length > 0) return undefined
  return place.test(cursor.value) ? 'playlists' : 'names'
}

/** Conditions that match the search words against the video or playlist. */
export const titled = ({ scope, query }: Call, opened: Resource): Fragment[] =>
  searchConditions(opened, query.q, scope.site_id).map(
    (found) => sql`${raw(quoted(`${opened.name}_id`))} in (
      select _id from ${raw(quoted(opened.plural))} where site_id = ${scope.site_id} and ${found}
    )`,
  )

const ofConsumer = ({ scope }: Call) => sql`site_id = ${scope.site_id} and consumer_id = ${scope.consumer_id}`

/** Returns a page of the unfiltered list. Reads and sorts the videos of every playlist first, at their full cost. */
async function listInOrder(call: Call, request: PageRequest): Promise<Answer> {
  const [found] = await call.parts.database.searching.run<FoundPage[]>(statement(call, request))
  return answerPage(call, request, found)
}

/** Selects the entitlements in the requested order, and the videos of each by id. */
function statement(call: Call, request: PageRequest): Fragment {
  const { order, page, perPage, cursor } = request
  const [walk, after, end] = order === 'desc' ? [sql`desc`, sql`<`, 'g'] : [sql`asc`, sql`>`, '']
  const key = raw(sortExpression(resource, request.sort))
  const from = cursor && placeIn(cursor.value)
  const offset = cursor ? 0 : page * perPage
  const beyond = from
    ? sql`where (${key}, _id) ${after}= (${from.key}::text::${raw(sortType(resource, request.sort))}, ${from.given})`
    : sql``
  const next = (film: Fragment) =>
    from
      ? sql`${film} ${after} case when given._id = ${from.given} then ${cursor?.id ?? ''} else ${end} end`
      : sql`true`
  const common = sql`_id, site_id, created_at, updated_at, consumer_id, transaction_id, transaction_type, expires_at`
  const inOrder = sql`order by sort_key ${walk}, given_id ${walk}, video_id ${walk}`
  return sql`
    with given as (
      select ${common}, video_id as film, null as playlist_id from video_entitlements where ${ofConsumer(call)}
      union all
      select ${common}, null, playlist_id from playlist_entitlements where ${ofConsumer(call)}
    ), page as (
      select given._id as given_id, ${key} as sort_key, site_id, created_at, updated_at, consumer_id, video_id,
        transaction_id, transaction_type, expires_at,
        case when playlist_id is null then given._id else left(md5(given._id || video_id), 24) end as _id
      from (select * from given ${beyond}) as given cross join lateral (
        select film as video_id where film is not null and ${next(sql`film`)}
        union all (
          select video._id from videos_within(given.site_id, playlist_id) as video
          where playlist_id is not null and ${next(sql`video._id`)}
          order by video._id ${walk} limit ${offset + perPage + 1}
        )
      ) as films
      ${inOrder} offset ${offset} limit ${perPage + 1}
    )
    select ${totalOf(call, request)} as total, array_agg(sort_key::text || ' ' || given_id ${inOrder}) as keys,
      array_agg(video_id ${inOrder}) as ids, array_agg(${raw(renderExpression(resource))} ${inOrder}) as records
    from page
  `
}

/** Counting reads the videos of playlists, so it stops here. Beyond, the total grows with the requested page. */
const mostCounted = 10_000

const totalOf = (call: Call, { cursor, page, perPage }: PageRequest): Fragment =>
  cursor
    ? sql`${cursor.total}::bigint`
    : sql`(
      select greatest(count(*), (select ${page * perPage}::bigint + count(*) from page having count(*) > 0)) from (
        select from own_video_entitlements where ${ofConsumer(call)} limit ${mostCounted}
      ) as counted
    )`

const place = /^(.+) ([0-9a-f]{24})$/

/** Parses the position of a cursor: the sort key and the id of an entitlement. */
function placeIn(value: string): { readonly key: string; readonly given: string } {
  const [, key, given] = place.exec(value) ?? []
  if (key && given) return { key, given }
  throw unknownCursor()
}
