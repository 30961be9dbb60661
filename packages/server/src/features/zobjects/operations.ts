import { catalog } from '@zoetrope/contract'
import { notFound } from '../../errors.js'
import { newId } from '../../lib/object-id.js'
import { slug } from '../../lib/slug.js'
import type { Answer, Call } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { insert, update } from '../../resources/store.js'
import { blankCustom, readCustom, spread } from './custom.js'
import { withinType } from './type.js'

/** Within the type named, and filtered by the names of its attributes too. */
export async function listZobjects(call: Call): Promise<Answer | undefined> {
  const { type, within } = await withinType(call)
  const { response_fields, zobject_type: _named, ...query } = call.query
  const asked = type.attributes
    .map(({ field_name }) => [field_name, query[field_name]] as const)
    .filter(([, value]) => value !== undefined && value !== '')
  const custom = { ...(query.custom as object | undefined), ...Object.fromEntries(asked) }
  const narrowed = asked.length > 0 ? { ...query, custom } : query
  const page = await standard.list({ ...within, query: narrowed })
  return page && spread(page, { response_fields })
}

export async function getZobject(call: Call): Promise<Answer | undefined> {
  const { response_fields, ...query } = call.query
  const { within } = await withinType(call)
  const record = await standard.get({ ...within, query })
  return record && spread(record, { response_fields })
}

export async function createZobject(call: Call): Promise<Answer> {
  const { type, within } = await withinType(call)
  const { parts, resource, scope, body } = within
  const _id = newId()
  const custom = { ...blankCustom(type.attributes), ...readCustom(type.attributes, customIn(body)) }
  const friendly_title = body.friendly_title ?? (await freeTitle(within, _id))
  const row = { ...body, _id, zobject_type: type.title, friendly_title, custom }
  const record = await insert(parts.database.db, parts.sealer, resource, scope, row)
  touch(within)
  return spread(answer(record), {})
}

/** The attributes sent change, the others stay. */
export async function updateZobject(call: Call): Promise<Answer> {
  const { type, within } = await withinType(call)
  const { parts, resource, scope, id, body } = within
  const changes = readCustom(type.attributes, customIn(body))
  const record = await parts.database.transaction(async (tx) => {
    const [now] = await tx<{ custom: object }[]>`
      select custom from zobjects
      where site_id = ${scope.site_id} and zobject_type_id = ${type._id} and _id = ${id} for update
    `
    if (!now) throw notFound(resource.name)
    return update(tx, parts.sealer, resource, scope, id, { ...body, custom: { ...now.custom, ...changes } })
  })
  touch(within)
  return spread(answer(record ?? ''), {})
}

export async function removeZobject(call: Call): Promise<undefined> {
  const { within } = await withinType(call)
  await standard.remove(within)
  touch(within)
}

const customIn = ({ custom }: Call['body']) => (custom ?? {}) as Readonly<Record<string, unknown>>

/** Records of videos show zobjects, and those of types how many there are. */
export function touch({ parts, scope }: Call): void {
  for (const { plural } of [catalog.zobjects, catalog.zobject_types, catalog.videos])
    parts.freshness.touch(scope.site_id, plural)
}

async function freeTitle({ parts, scope, body }: Call, id: string): Promise<string> {
  const title = slug(String(body.title))
  const [taken] = await parts.database.db`
    select from zobjects
    where site_id = ${scope.site_id} and zobject_type_id = ${scope.zobject_type_id ?? ''}
      and friendly_title = ${title} limit 1
  `
  return taken ? `${title}-${id.slice(-8)}` : title
}
