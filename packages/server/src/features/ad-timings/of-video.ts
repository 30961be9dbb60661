import { catalog, shownFields } from '@zoetrope/contract'
import type { Call } from '../../resources/feature.js'
import { project } from '../../resources/projection.js'

const { ad_timings, video_ad_timings } = catalog

/** Everything that a video plays from, each with its ad timings: few enough for one answer. */
export async function listOfVideo({ parts, scope, query }: Call) {
  const { site_id, video_id = '' } = scope
  const { db } = parts.database
  const rows = await db<{ json: string }[]>`
    select json_build_object(
      '_id', source._id, 'site_id', site_id, 'created_at', iso(created_at), 'updated_at', iso(updated_at),
      'data_source_id', source._id, 'ad_timings', coalesce((
        select json_agg(timing order by milliseconds, timing._id) from (
          select ${db([...shown])} from ad_timings
          where ad_timings.site_id = source.site_id and ad_timings.video_id = source.video_id
            and data_source_id = source._id
        ) as timing
      ), '[]')
    )::text as json
    from data_sources as source where site_id = ${site_id} and video_id = ${video_id} order by created_at, _id
  `
  const records = rows.map(({ json }) => project(query, json))
  const pagination = {
    current: 0,
    previous: null,
    next: null,
    per_page: Math.max(1, rows.length),
    pages: rows.length === 0 ? 0 : 1,
    next_cursor: null,
  }
  return { json: `{"response":[${records.join()}],"pagination":${JSON.stringify(pagination)}}` }
}

const parts = Object.keys(video_ad_timings.fields.ad_timings.of)
const shown = shownFields(ad_timings).filter((name) => parts.includes(name))
