import { type Field, isShown, perResource, type Resource, secretFields } from '@zoetrope/contract'
import type { Sealer } from '../lib/sealing.js'

export const quoted = (name: string) => `"${name}"`

const rendered = (name: string, field: Field): string => {
  if (field.derived) return `null as ${quoted(name)}`
  if (field.kind === 'timestamp') return `iso(${quoted(name)}) as ${quoted(name)}`
  if (field.kind === 'money') return `${quoted(name)}::text as ${quoted(name)}`
  if (field.kind === 'secret') return `encode(${quoted(name)}, 'base64') as ${quoted(name)}`
  return quoted(name)
}

/** The SQL expression that turns a row into its record, as JSON text. */
export const renderExpression = perResource((resource): string => {
  const columns = Object.entries(resource.fields)
    .filter(([, field]) => isShown(field))
    .map(([name, field]) => rendered(name, field))
  return `(select row_to_json(rendered)::text from (select ${columns.join(', ')}) as rendered)`
})

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

const comparedTypes: Readonly<Record<string, string>> = {
  integer: 'double precision',
  number: 'double precision',
  timestamp: 'timestamptz',
}

/** The type in which PostgreSQL compares values of a field. Integers can also be compared with 1.5. */
export const comparedType = (field?: Field): string => comparedTypes[field?.kind ?? ''] ?? 'text'

export const sortType = ({ fields }: Resource, name: string): string => comparedType(fields[name])

/** Unseals the secret fields of a record. */
export function reveal(resource: Resource, sealer: Sealer, json: string): string {
  const names = secretFields(resource)
  if (names.length === 0) return json
  const record = JSON.parse(json) as Record<string, string>
  for (const name of names) record[name] = sealer.unseal(Buffer.from(record[name] ?? '', 'base64'))
  return JSON.stringify(record)
}
