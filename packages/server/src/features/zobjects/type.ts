import { notFound } from '../../errors.js'
import type { Body, Call } from '../../resources/feature.js'
import type { Attribute } from '../zobject-types/attributes.js'

export interface ZobjectType {
  readonly _id: string
  readonly title: string
  readonly videos_enabled: boolean
  readonly playlists_enabled: boolean
  readonly attributes: readonly Attribute[]
}

/** Returns the type that a call names, or that of its zobject, and the call scoped to this type. */
export async function withinType<B extends Body>(
  call: Call<B>,
): Promise<{ type: ZobjectType; within: Call<Omit<B, 'zobject_type'>> }> {
  const { parts, scope, query, id } = call
  const { zobject_type: named = query.zobject_type, ...body } = call.body
  const title = String(named ?? '')
    .replaceAll('\0', ' ')
    .trim()
    .toLowerCase()
  const [type] = await parts.database.db<ZobjectType[]>`
    select _id, title, videos_enabled, playlists_enabled, zobject_attributes as attributes from zobject_types
    where site_id = ${scope.site_id} and case
      when ${title} <> '' or ${id} = '' then title = ${title}
      else _id = (select zobject_type_id from zobjects where site_id = ${scope.site_id} and _id = ${id})
    end
  `
  if (!type) throw notFound(title === '' && id !== '' ? call.resource.name : 'zobject_type')
  return { type, within: { ...call, body, scope: { ...scope, zobject_type_id: type._id } } }
}
