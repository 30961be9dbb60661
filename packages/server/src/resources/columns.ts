import { type Field, isShown, type Resource, secretFields } from '@zoetrope/contract'
import type { Sealer } from '../lib/sealing.js'

export const quoted = (name: string) => `"${name}"`

const rendered = (name: string, field: Field): string => {
  if (field.derived) return `null as ${quoted(name)}`
  if (field.kind === 'timestamp') return `iso(${quoted(name)}) as ${quoted(name)}`
  if (field.kind === 'money') return `${quoted(name)}::text as ${quoted(name)}`
  if (field.kind === 'secret') return `encode(${quoted(name)}, 'base64') as ${quoted(name)}`
  return quoted(name)
}

const rendering = new WeakMap<Resource, string>()

/** The SQL expression that turns a row into its record, as JSON text. */
export function renderExpression(resource: Resource): string {
  const known = rendering.get(resource)
  if (known) return known
  const columns = Object.entries(resource.fields)
    .filter(([, field]) => isShown(field))
    .map(([name, field]) => rendered(name, field))
  const expression = `(select row_to_json(rendered)::text from (select ${columns.join(', ')}) as rendered)`
  rendering.set(resource, expression)
  return expression
}

/** The record of a row: stored in the row for counted resources, otherwise built when it is read. */
export const recordExpression = (resource: Resource): string =>
  resource.counted ? 'record' : renderExpression(resource)

/** The expression that a list is sorted by. It is never null, so that a cursor can continue after any record. */
export function sortExpression(resource: Resource, name: string): string {
  const field = resource.fields[name]
  if ((field?.kind === 'integer' || field?.kind === 'number') && field.default === undefined)
    return `coalesce(${quoted(name)}, -1)`
  return quoted(name)
}

export const sortType = (resource: Resource, name: string): string => {
  const kind = resource.fields[name]?.kind
  if (kind === 'timestamp') return 'timestamptz'
  return kind === 'text' ? 'text' : 'double precision'
}

/** Unseals the secret fields of a record. */
export function reveal(resource: Resource, sealer: Sealer, json: string): string {
  const names = secretFields(resource)
  if (names.length === 0) return json
  const record = JSON.parse(json) as Record<string, string>
  for (const name of names) record[name] = sealer.unseal(Buffer.from(record[name] ?? '', 'base64'))
  return JSON.stringify(record)
}
