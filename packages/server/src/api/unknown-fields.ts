import type { Field, Resource } from '@zoetrope/contract'
import { ancestorsOf, isHarmless, parentField, queryNames } from '@zoetrope/contract'
import { isObject } from '../lib/is-object.js'
import { meant } from '../lib/nearest.js'
import type { Ignored } from '../lib/unknown-parameters.js'
import type { Fields } from './body.js'
import type { Tree } from './brackets.js'
import type { Endpoint } from './endpoints.js'
import { isIndexed, unwrap } from './input.js'

interface KnownFields {
  /** What may stand beside the wrapper, and in the query string. */
  readonly beside: ReadonlySet<string>
  /** What may stand inside of it. */
  readonly inside: ReadonlySet<string>
  readonly fields: ReadonlyMap<string, Field>
}

const known = new WeakMap<Endpoint, KnownFields>()

function knownFields(resource: Resource, endpoint: Endpoint): KnownFields {
  const found = known.get(endpoint) ?? makeKnown(resource, endpoint)
  known.set(endpoint, found)
  return found
}

/** Programs send records back as they got them, with what the platform has set, and the ids that are in the path. */
function makeKnown(resource: Resource, { name, input }: Endpoint): KnownFields {
  const fields = input?.fields ?? []
  const whole = name === 'create' || name === 'update' ? Object.keys(resource.fields) : []
  const inside = new Set([
    ...whole,
    ...fields.flatMap(([field, { beside = [] }]) => [field, ...beside]),
    ...fields.flatMap((each) => fileNameOf(each)),
    ...ancestorsOf(resource).map(parentField),
    'id',
  ])
  const beside = new Set([...inside, ...queryNames(resource, name), 'response', 'pagination'])
  return { beside, inside, fields: new Map(fields) }
}

/** A file in a multipart body brings its name. */
const fileNameOf = ([name, { kind }]: readonly [string, Field]) =>
  kind === 'file' ? [`${name}_file_name`] : []

/** The fields of a write that its operation does not have, also inside of objects whose shape is known. */
export function unknownFields(
  resource: Resource,
  endpoint: Endpoint,
  { tree, written, isQuery }: Fields,
  query: Tree,
): Ignored[] {
  const { beside, inside, fields } = knownFields(resource, endpoint)
  const { name, wrapper } = resource
  const parts = unwrap(tree, name, wrapper)
  const isWrapped = parts.inside !== tree
  const takesAll = endpoint.input?.rest !== undefined
  const names = [
    ...unknownNames(isWrapped ? parts.beside : tree, takesAll && !isWrapped ? undefined : beside),
    ...(isWrapped && !takesAll ? unknownNames(parts.inside, inside) : []),
    ...(isQuery ? [] : unknownNames(query, besideBody(resource, endpoint))),
  ]
  return [
    ...names.map((each) => ({
      name: each,
      why: () => `there is no such field${meant(each, fields.keys())}`,
    })),
    ...(written === 'xml' ? [] : [...fields].flatMap((field) => unknownInside(parts.inside, field))),
  ]
}

const unknownNames = (given: Tree, names: ReadonlySet<string> | undefined): string[] =>
  names ? Object.keys(given).filter((name) => !names.has(name) && !isHarmless(name)) : []

/** With a body, the query string has no fields but those that are declared to stand there. */
const besideBody = (resource: Resource, endpoint: Endpoint): ReadonlySet<string> =>
  new Set([
    ...queryNames(resource, endpoint.name),
    ...(endpoint.input?.fields ?? []).flatMap(([, { beside = [] }]) => beside),
  ])

/** Names in the objects of a list. */
function unknownInside(given: Tree, [name, field]: readonly [string, Field]): Ignored[] {
  if (field.kind !== 'objects' || !Object.hasOwn(given, name)) return []
  const value = given[name]
  const items = Array.isArray(value) || isIndexed(value) ? Object.values(value) : [value]
  const inner = Object.entries(field.of)
  const names = new Set(['id', ...inner.flatMap((each) => [each[0], ...fileNameOf(each)])])
  return items.filter(isObject).flatMap((item) => [
    ...unknownNames(item, names).map((key) => ({
      name: `${name}.${key}`,
      why: () => `there is no such field${meant(key, names)}`,
    })),
    ...inner.flatMap((each) => unknownInside(item, each)),
  ])
}
