import { catalog, hidingField, limits, parentField, type Resource, type Shown } from '@zoetrope/contract'
import { mayDo, notAllowed, seesHidden } from '../auth/access.js'
import { raw } from '../db/fragment.js'
import { invalidParameter } from '../errors.js'
import { meant } from '../lib/nearest.js'
import { quoted, recordExpression, reveal } from '../resources/columns.js'
import type { Call, Feature, Run, RunAction } from '../resources/feature.js'
import { standard } from '../resources/standard.js'
import { withinScope } from '../resources/store.js'
import { deriving, ifAsked } from './derived.js'
import { features } from './index.js'
import { namesIn } from './zobjects/details.js'

interface RelatingRecord extends Readonly<Record<string, unknown>> {
  readonly _id: string
}

/** The related records of one record, or the one that it refers to. */
type RelatedOfRecord = (record: RelatingRecord) => unknown

const mostAtOnce = 100

/** Returns the feature with reads that show related records with `include=`. */
export function withIncluded(resource: Resource, feature: Feature): Feature {
  const { operations = {}, actions = {} } = feature
  const reads = (['list', 'get'] as const).map(
    (name) => [name, including(resource, operations[name] ?? standard[name])] as const,
  )
  const lists = Object.entries(actions).map(([name, run]) => {
    const { answers, of = resource } = resource.actions[name] ?? {}
    return [name, answers === 'list' ? including(of, run) : run] as const
  })
  return { operations: { ...operations, ...Object.fromEntries(reads) }, actions: Object.fromEntries(lists) }
}

function including<R extends Run<never> | RunAction<never>>(shown: Shown, run: R): R {
  const { includes = {}, plural, fields } = shown
  const names = Object.keys(includes)
  if (names.length === 0) return run
  const wrap = ifAsked(
    ({ query }) => query.include !== undefined,
    deriving<RelatingRecord>(async (records, call) => {
      const asked = namesIn(call.query.include, 'include').filter((name) =>
        isKnown(call, plural, names, name),
      )
      const found = await Promise.all(
        asked.map(async (name) => [name, await findRelated(call, records, includes, name)] as const),
      )
      return records.map((record) =>
        Object.fromEntries(found.map(([name, relatedTo]) => [name, relatedTo(record)])),
      )
    }, addedTo(fields)),
  )
  return wrap(run as unknown as Run) as unknown as R
}

/** What options of the request have added to a record. */
const addedTo = (fields: Shown['fields']) => (record: object) =>
  Object.keys(record).filter((name) => !Object.hasOwn(fields, name))

function isKnown({ notice }: Call, plural: string, names: readonly string[], value: string): boolean {
  if (names.includes(value)) return true
  const why = () => `${plural} include no such records${meant(value, names)}`
  notice({ name: 'include', value, why })
  return false
}

async function findRelated(
  call: Call,
  records: readonly RelatingRecord[],
  includes: NonNullable<Shown['includes']>,
  name: string,
): Promise<RelatedOfRecord> {
  const key = includes[name] as keyof typeof catalog
  const target: Resource = catalog[key]
  if (!mayDo(call.principal, target, 'list')) throw notAllowed(call.principal, target, 'list')
  const [one, many] = [`${name}_id`, `${name.replace(/s$/, '')}_ids`]
  const field = records.some((record) => Object.hasOwn(record, one)) ? one : many
  if (target.within && !records.some((record) => Object.hasOwn(record, field)))
    return findInside(call, target, target.within, records, name)
  const idsOf = (record: RelatingRecord) => [record[field] ?? []].flat() as string[]
  const ids = checkCount(name, records.flatMap(idsOf))
  const found = await findById(call, key, [...new Set(ids)])
  const shown = (record: RelatingRecord) => idsOf(record).flatMap((id) => found.get(id) ?? [])
  return field === one ? (record) => shown(record)[0] ?? null : shown
}

/** A related record is shown with every record that it belongs to, so an answer could become far larger than its records. */
function checkCount<T>(name: string, related: readonly T[]): readonly T[] {
  const most = limits.included.value
  if (related.length <= most) return related
  throw invalidParameter(
    'include',
    `would show more than ${most} ${name}; ask for fewer records with per_page`,
  )
}

/** Records as their own list shows them to this caller, by id. */
async function findById(call: Call, key: keyof typeof catalog, ids: readonly string[]) {
  const resource: Resource = catalog[key]
  const hides = hidingField(resource)
  const list = (features[key] as Feature).operations?.list ?? standard.list
  const found = new Map<string, RelatingRecord>()
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    const query = {
      _id: ids.slice(at, at + mostAtOnce),
      per_page: String(mostAtOnce),
      ...(hides && seesHidden(call.principal, resource) ? { [hides]: 'all' } : {}),
    }
    const scope = { site_id: call.scope.site_id }
    const answer = await (list as Run)({ ...call, resource, scope, query, id: '', body: {} })
    const { response } = JSON.parse(answer?.json.toString() ?? '') as { response: RelatingRecord[] }
    for (const record of response) found.set(record._id, record)
  }
  return found
}

/** Records inside of others, in the order of creation. */
async function findInside(
  { parts, principal, scope }: Call,
  target: Resource,
  within: Resource,
  records: readonly RelatingRecord[],
  name: string,
): Promise<RelatedOfRecord> {
  const parent = raw(quoted(parentField(within)))
  const rows = await parts.database.db<{ parent: string; json: string }[]>`
    select ${parent} as parent, ${raw(recordExpression(target))} as json from ${raw(quoted(target.plural))}
    where ${withinScope(target, { site_id: scope.site_id }, seesHidden(principal, target))}
      and ${parent} = any(${records.map(({ _id }) => _id)}::text[])
    order by created_at, _id limit ${limits.included.value + 1}
  `
  const all = checkCount(name, rows).map((row) => ({
    parent: row.parent,
    record: JSON.parse(reveal(target, parts.sealer, row.json)) as RelatingRecord,
  }))
  return ({ _id }) => all.filter((each) => each.parent === _id).map(({ record }) => record)
}
