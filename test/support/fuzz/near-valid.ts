import {
  documentedPath,
  type Field,
  filterParameters,
  type Resource,
  sortFields,
  writableFields,
} from '@zoetrope/contract'
import type { Endpoint, Target } from '../../api/access-targets.js'
import { pick, type Random, weighted } from './choose.js'
import type { Shot } from './hostile-requests.js'
import { type Changed, changed, type Tree } from './one-change.js'
import { type Ids, validFields, validValue } from './valid-values.js'
import { type BodyKind, writeBody, writeQuery } from './written-bodies.js'

/** The callers, by the header that authenticates them. */
export type Callers = Readonly<Record<'admin' | 'read_only' | 'app' | 'consumer', readonly [string, string]>>

export interface World {
  readonly callers: Callers
  /** Records of the channel, and of another channel whose ids are unknown here. */
  readonly ids: Ids
  readonly others: Ids
}

const bodyKinds: Readonly<Record<BodyKind, number>> = {
  json: 45,
  'bare JSON': 15,
  form: 20,
  multipart: 8,
  xml: 12,
}

const isOperation = (name: string): name is 'create' | 'update' => name === 'create' || name === 'update'

/** Returns the fields that a body of the endpoint may have. */
function bodyFields({ resource, name }: Endpoint): Readonly<Record<string, Field>> {
  if (isOperation(name)) return Object.fromEntries(writableFields(resource))
  return resource.actions[name]?.body ?? {}
}

/** Returns a query that the list supports. */
function listQuery(resource: Resource, ids: Ids, random: Random): Tree {
  const filters = filterParameters(resource).filter(() => random() < 0.08)
  return {
    ...Object.fromEntries(
      filters.map(({ parameter, name, field }) => [parameter, validValue(field, name, ids, random)]),
    ),
    ...validFields({ ...resource.readOptions, ...resource.listOptions }, ids, random, 0.3),
    ...(random() < 0.4 ? { sort: pick(random, sortFields(resource)) ?? 'created_at' } : {}),
    ...(random() < 0.3 ? { order: pick(random, ['asc', 'desc']) } : {}),
    ...(random() < 0.3 ? { page: pick(random, [0, 1, 2]) } : {}),
    ...(random() < 0.3 ? { per_page: pick(random, [1, 10, 100]) } : {}),
    ...(random() < 0.2 ? { q: 'target' } : {}),
    ...(random() < 0.1 ? { response_fields: '_id,created_at' } : {}),
  }
}

/** Returns the path of a request, occasionally with an id that does not belong there. */
function placed(
  { path }: Endpoint,
  { id, parentId, grandparentId = '' }: Target,
  world: World,
  random: Random,
) {
  const stray = () =>
    pick(random, [...Object.values(world.others).flat(), ...Object.values(world.ids).flat(), 'me', '0'])
  const used = { ':grandparent_id': grandparentId, ':parent_id': parentId, ':id': id }
  const named = Object.keys(used).filter((name) => path.includes(name))
  const strayed = named.length > 0 && random() < 0.06 ? pick(random, named) : undefined
  const text = Object.entries(used).reduce(
    (written, [name, value]) => written.replace(name, encodeURIComponent(name === strayed ? stray() : value)),
    path,
  )
  return { text, strayed }
}

/** Returns a request that is valid except for one change. */
export function nearlyValid(
  endpoint: Endpoint,
  target: Target,
  world: World,
  random: Random,
): Shot & { readonly change: string } {
  const { resource, method, path } = endpoint
  const { text, strayed } = placed(endpoint, target, world, random)
  const who = weighted(random, { admin: 85, read_only: 4, app: 5, consumer: 6 })
  const headers = [['Host', 'zoetrope.test'], ['Connection', 'close'], world.callers[who]] as const
  const writes = method === 'POST' || method === 'PUT'
  const fields: Tree = writes
    ? { ...validFields(bodyFields(endpoint), world.ids, random, 0.15), ...target.fields }
    : { ...target.fields, ...(endpoint.name === 'list' ? listQuery(resource, world.ids, random) : {}) }
  const one: Changed = strayed
    ? { fields, raw: undefined, change: `${strayed} in the path` }
    : changed(fields, random, world.others)
  const said = `${method} ${documentedPath(resource, path)}, as ${who}, ${one.change}`
  if (!writes) {
    const query = writeQuery(one).slice(0, 12_000)
    return { method, path: query ? `${text}?${query}` : text, headers, format: 'json', change: said }
  }
  const kind = weighted(random, bodyKinds)
  const { type, body, format } = writeBody(kind, resource.name, one)
  return {
    method,
    path: text,
    headers: [...headers, ['Content-Type', type]],
    body,
    format,
    change: `${said}, ${kind}`,
  }
}
