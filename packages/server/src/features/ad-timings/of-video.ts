import { catalog, limits, shownFields } from '@zoetrope/contract'
import { allOf, raw, sql } from '../../db/fragment.js'
import { quoted, sortExpression, sortType } from '../../resources/columns.js'
import type { Answer, Call } from '../../resources/feature.js'
import { filterConditions } from '../../resources/filters.js'
import { readPageRequest } from '../../resources/pagination.js'
import { listGathered } from '../gathered-list.js'

const { ad_timings, video_ad_timings: resource } = catalog

/** Lists the data sources of a video with their ad timings, on one page unless the request sets `per_page`. */
export function listOfVideo(call: Call): Promise<Answer> {
  const { scope, query } = call
  const whole = { ...query, per_page: query.per_page || String(limits.per_page.value) }
  const request = readPageRequest(resource, { ...call, query: whole })
  const ofVideo = sql`site_id = ${scope.site_id} and video_id = ${scope.video_id}`
  const where = allOf([ofVideo, ...filterConditions(resource, query)])
  const rows = sql`
    select _id, site_id, video_id, created_at, updated_at, _id as data_source_id, coalesce((
      select json_agg(timing order by milliseconds, timing._id) from (
        select ${raw(shown.map(quoted).join())} from ad_timings
        where ad_timings.site_id = source.site_id and ad_timings.video_id = source.video_id
          and data_source_id = source._id
      ) as timing
    ), '[]') as ad_timings
    from data_sources as source
  `
  return listGathered(call, request, {
    resource,
    rows: sql`select * from (${rows}) as groups where ${where}`,
    key: raw(sortExpression(resource, request.sort)),
    type: sortType(resource, request.sort),
  })
}

const parts = Object.keys(resource.fields.ad_timings.of)
const shown = shownFields(ad_timings).filter((name) => parts.includes(name))
