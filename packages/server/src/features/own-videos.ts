import { catalog } from '@zoetrope/contract'
import { raw, sql } from '../db/fragment.js'
import { sortExpression, sortType } from '../resources/columns.js'
import type { Answer, Call } from '../resources/feature.js'
import { filterConditions } from '../resources/filters.js'
import { readPageRequest } from '../resources/pagination.js'
import { listGathered } from './gathered-list.js'

const { own_video_entitlements: resource } = catalog

/** What somebody may watch who was given playlists too: films by name, and the films of those. */
export function listOwnVideos(call: Call): Promise<Answer> {
  const { scope, principal, query } = call
  const request = readPageRequest(resource, query, principal.firstPage)
  const where = filterConditions(resource, query).reduce(
    (left, right) => sql`${left} and ${right}`,
    sql`site_id = ${scope.site_id} and consumer_id = ${scope.consumer_id}`,
  )
  return listGathered(call, request, {
    resource,
    rows: sql`select * from own_video_entitlements where ${where}`,
    key: raw(sortExpression(resource, request.sort)),
    type: sortType(resource, request.sort),
  })
}
