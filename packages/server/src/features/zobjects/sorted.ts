import { catalog, type Resource } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import { allOf, type Fragment, sql } from '../../db/fragment.js'
import { invalidParameter } from '../../errors.js'
import type { Answer, Call } from '../../resources/feature.js'
import { filterConditions } from '../../resources/filters.js'
import { readShown } from '../../resources/list.js'
import { readPageRequest } from '../../resources/pagination.js'
import { searchConditions } from '../../resources/search.js'
import { withinScope } from '../../resources/store.js'
import { listGathered } from '../gathered-list.js'
import type { Attribute } from '../zobject-types/attributes.js'

const { zobjects } = catalog
const numbers = ['integer', 'float', 'number']

/** Returns the attribute that `sort` names, if it names one. */
export function sortingAttribute(attributes: readonly Attribute[], { query }: Call): Attribute | undefined {
  if (Object.hasOwn(zobjects.fields, String(query.sort))) return undefined
  const attribute = attributes.find(({ field_name }) => field_name === query.sort)
  if (attribute?.field_type !== 'array') return attribute
  throw invalidParameter('sort', 'must not be an attribute that holds a list')
}

/** Lists zobjects sorted by an attribute. In ascending order, missing values come first. */
export function listSorted(call: Call, { field_name, field_type }: Attribute): Promise<Answer> {
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
  if (shown === false) conditions.push(sql`not active`)
  return allOf([withinScope(zobjects, scope, shown !== true), ...conditions])
}
