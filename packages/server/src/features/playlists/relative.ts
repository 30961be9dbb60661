import { catalog } from '@zoetrope/contract'
import { type Fragment, sql } from '../../db/fragment.js'
import { notFound } from '../../errors.js'
import type { Answer, Call } from '../../resources/feature.js'
import { readOrder, withoutUnknownSort } from '../../resources/order.js'
import { pagination, readPageRequest } from '../../resources/pagination.js'
import { project } from '../../resources/projection.js'
import { byField, findPlaylist, type Playlist, placed, ranked, wanted } from './order.js'

const { videos } = catalog

/** Lists the videos before and after a video in a playlist. */
export async function videosRelative(call: Call): Promise<Answer> {
  const playlist = await findPlaylist(call)
  const { anchor_video_id: anchor, after = 3, before = 0, include_anchor = false } = call.body
  const { page: _page, per_page: _size, cursor: _cursor, ...others } = call.query
  const query = withoutUnknownSort(videos, { ...call, query: others })
  const ofVideos = { ...call, query, resource: videos }
  const asked = await wanted(ofVideos, playlist)
  const isQuick = asked.isDefault && !query.sort && !query.order
  const hint = isQuick ? sql`not materialized` : sql`materialized`
  const { db, searching } = call.parts.database
  const [row] = await (isQuick ? db : searching)<{ is_there: boolean; records: string[] | null }[]>`
    with placed as ${hint} (${placesIn(ofVideos, playlist, asked.where)}),
    anchor as materialized (select found, place from placed where found = ${anchor}),
    page as (
      (select found, place from placed where place < (select place from anchor) order by place desc limit ${before})
      union all select found, place from anchor where ${include_anchor}::boolean
      union all
      (select found, place from placed where place > (select place from anchor) order by place limit ${after})
    )
    select exists (select from anchor) as is_there, (
      select array_agg(record order by place) from page cross join lateral (
        select record from videos where site_id = ${call.scope.site_id} and _id = found limit 1
      ) as video
    ) as records
  `
  if (!row?.is_there) throw notFound(videos.name)
  const records = row.records ?? []
  const request = readPageRequest(videos, { ...call, query: { per_page: String(records.length || 1) } })
  const place = pagination(request, { total: records.length, isExact: true }, undefined)
  const shown = records.map((record) => project(query, record)).join(',')
  return { json: `{"response":[${shown}],"pagination":${JSON.stringify(place)}}` }

  function placesIn(of: Call, from: Playlist, where: Fragment): Fragment {
    if (!query.sort && !query.order) return placed(of, from, asked)
    if (!query.sort) return sql`select found, -place as place from (${placed(of, from, asked)}) as upwards`
    const { sort, order } = readOrder(videos, { ...call, query })
    return ranked(of, from, where, sql`${byField(sort, order)}, _id`)
  }
}
