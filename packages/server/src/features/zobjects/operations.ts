import { catalog, type Resource } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import type { Db } from '../../db/database.js'
import { allOf, type Fragment, sql } from '../../db/fragment.js'
import { invalidParameter, notFound } from '../../errors.js'
import { newId } from '../../lib/object-id.js'
import { unknownParameters } from '../../lib/unknown-parameters.js'
import { readShown } from '../../lists/shown.js'
import type { Answer, Call } from '../../resources/feature.js'
import { filterConditions } from '../../resources/filters.js'
import { listed } from '../../resources/list.js'
import { readPageRequest } from '../../resources/pagination.js'
import { searchConditions } from '../../resources/search.js'
import { answer, standard } from '../../resources/standard.js'
import { insertNamed, update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { listGathered } from '../gathered-list.js'
import { changeImages, type Image } from '../images.js'
import type { Attribute } from '../zobject-types/attributes.js'
import { blankCustom, readCustom, spread } from './custom.js'
import { withinType } from './type.js'

/** Parameters of every list. An attribute with such a name is filtered with custom[name]. */
const ofEveryList: ReadonlySet<string> = new Set([
  'page',
  'per_page',
  'cursor',
  'sort',
  'order',
  'q',
  '_method',
])

/** Lists the zobjects of a type, which can also be filtered and sorted by its attributes. */
export async function listZobjects(call: Call): Promise<Answer | undefined> {
  const { type, within } = await withinType(call)
  const attributes = new Set(type.attributes.flatMap(({ field_name }) => [field_name, `${field_name}!`]))
  for (const unknown of unknownParameters(call.resource, 'list', call.query, attributes)) call.notice(unknown)
  const { response_fields, zobject_type: _named, ...query } = call.query
  const asked = type.attributes
    .map(({ field_name }) => [field_name, query[field_name]] as const)
    .filter(([name, value]) => value !== undefined && value !== '' && !ofEveryList.has(name))
  const custom = { ...(query.custom as object | undefined), ...Object.fromEntries(asked) }
  const narrowed = asked.length > 0 ? { ...query, custom } : query
  const asking = { ...within, query: narrowed }
  const attribute = sortingAttribute(type.attributes, asking)
  const page = attribute ? await listSorted(asking, attribute) : await standard.list(asking)
  return page && spread(page, { response_fields })
}

export async function getZobject(call: Call): Promise<Answer | undefined> {
  const { response_fields, ...query } = call.query
  const { within } = await withinType(call)
  const record = await standard.get({ ...within, query })
  return record && spread(record, { response_fields })
}

export async function createZobject(call: CallOf<'zobjects', 'create'>): Promise<Answer> {
  const { type, within } = await withinType(call)
  const { parts, resource, scope } = within
  const { pictures_attributes, ...body } = within.body
  const _id = newId()
  const custom = { ...blankCustom(type.attributes), ...readCustom(type.attributes, body.custom ?? {}) }
  const row = { ...body, _id, zobject_type: type.title, custom }
  const record = await parts.database.transaction(async (tx) => {
    const pictures = await picturesOf(tx, within, _id, [], pictures_attributes)
    return insertNamed(tx, resource, scope, { ...row, ...pictures })
  })
  return spread(answer(record), {})
}

/** Updates a zobject. Attributes that are not sent keep their values. */
export async function updateZobject(call: CallOf<'zobjects', 'update'>): Promise<Answer> {
  const { type, within } = await withinType(call)
  const { parts, resource, scope, id } = within
  const { pictures_attributes, ...body } = within.body
  const changes = readCustom(type.attributes, body.custom ?? {})
  const record = await parts.database.transaction(async (tx) => {
    const [now] = await tx<{ custom: object; pictures: readonly ZobjectImage[] }[]>`
      select custom, pictures from zobjects
      where site_id = ${scope.site_id} and zobject_type_id = ${type._id} and _id = ${id} for update
    `
    if (!now) throw notFound(resource.name)
    const pictures = await picturesOf(tx, within, id, now.pictures, pictures_attributes)
    const custom = { ...now.custom, ...changes }
    return update(tx, resource, scope, id, { ...body, custom, ...pictures })
  })
  return spread(answer(record ?? ''), {})
}

/** An image of a zobject. Its id is called `id` instead of `_id`. */
interface ZobjectImage extends Omit<Image, '_id' | 'layout' | 'width' | 'height'> {
  readonly id: string
}

async function picturesOf(
  tx: Db,
  { parts, scope }: Pick<Call, 'parts' | 'scope'>,
  owner_id: string,
  had: readonly ZobjectImage[],
  changes: CallOf<'zobjects', 'update'>['body']['pictures_attributes'],
): Promise<{ readonly pictures?: readonly ZobjectImage[] }> {
  if (!changes) return {}
  const images = had.map(({ id, ...image }) => ({ _id: id, ...image }))
  const owner = { site_id: scope.site_id, owner_id }
  const changed = await changeImages(tx, parts, owner, images, changes, 'pictures_attributes')
  const shown = ({ _id, title, caption, url, content_type, updated_at }: Image): ZobjectImage => ({
    ...{ id: _id, title, caption, url, content_type, updated_at },
  })
  return { pictures: changed.map(shown) }
}

export async function removeZobject(call: Call): Promise<undefined> {
  const { within } = await withinType(call)
  await standard.remove(within)
}

const { zobjects } = catalog
const numbers = ['integer', 'float', 'number']

/** Returns the attribute that `sort` names, if it names one. */
function sortingAttribute(attributes: readonly Attribute[], { query }: Call): Attribute | undefined {
  if (Object.hasOwn(zobjects.fields, String(query.sort))) return undefined
  const attribute = attributes.find(({ field_name }) => field_name === query.sort)
  if (attribute?.field_type !== 'array') return attribute
  throw invalidParameter('sort', 'must not be an attribute that holds a list')
}

/** Lists zobjects sorted by an attribute. In ascending order, missing values come first. */
function listSorted(call: Call, { field_name, field_type }: Attribute): Promise<Answer> {
  const { principal, scope, query } = call
  const field = { kind: 'text', about: '', maxLength: 0, sort: true } as const
  const sortable: Resource = { ...zobjects, fields: { ...zobjects.fields, [field_name]: field } }
  const isNumber = numbers.includes(field_type)
  const found = sql`select * from zobjects where ${wanted(query, scope, seesHidden(principal, zobjects))}`
  return listGathered(call, readPageRequest(sortable, call), {
    resource: zobjects,
    rows: found,
    key: isNumber ? numberIn(field_name) : sql`coalesce(custom ->> ${field_name}, '') collate "C"`,
    type: isNumber ? 'double precision' : 'text',
  })
}

/** Values stored while the attribute had another type count as missing. */
const numberIn = (name: string): Fragment =>
  sql`case jsonb_typeof(custom -> ${name}) when 'number' then (custom ->> ${name})::double precision else '-Infinity' end`

function wanted(query: Call['query'], scope: Call['scope'], mayChoose: boolean): Fragment {
  const shown = readShown(zobjects, query, mayChoose)
  const searches = searchConditions(zobjects, query.q, scope.site_id)
  const conditions = [...filterConditions(zobjects, query), ...searches]
  return allOf([listed(zobjects, scope, shown), ...conditions])
}
