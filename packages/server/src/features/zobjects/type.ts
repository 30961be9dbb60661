import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import type { Attribute } from '../zobject-types/attributes.js'

export interface ZobjectType {
  readonly _id: string
  readonly title: string
  readonly videos_enabled: boolean
  readonly playlists_enabled: boolean
  readonly attributes: readonly Attribute[]
}

/** The type that a call names, without which nothing is found; and the call within it. */
export async function withinType(call: Call): Promise<{ type: ZobjectType; within: Call }> {
  const { parts, scope, query } = call
  const { zobject_type: named = query.zobject_type, ...body } = call.body
  const title = String(named ?? '')
    .trim()
    .toLowerCase()
  const [type] = await parts.database.db<ZobjectType[]>`
    select _id, title, videos_enabled, playlists_enabled, zobject_attributes as attributes from zobject_types
    where site_id = ${scope.site_id} and title = ${title.includes('\0') ? '' : title}
  `
  if (!type) throw notFound('zobject_type')
  return { type, within: { ...call, body, scope: { ...scope, zobject_type_id: type._id } } }
}
