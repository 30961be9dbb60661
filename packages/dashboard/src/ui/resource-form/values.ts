import type { Field } from '@zoetrope/contract'

export type Values = Readonly<Record<string, unknown>>

/** What an input begins with when the record has nothing. */
export function startingValue(field: Field): unknown {
  if (field.kind === 'flag') return field.default
  if (field.kind === 'list' || field.kind === 'objects') return []
  if (field.kind === 'map') return {}
  return 'default' in field && field.default !== 'now' ? (field.default ?? null) : null
}

/** The fields of a record as its form holds them. */
export const valuesOf = (fields: readonly (readonly [string, Field])[], record?: Values): Values =>
  Object.fromEntries(fields.map(([name, field]) => [name, record?.[name] ?? startingValue(field)]))

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What was changed since, and only that: what others changed meanwhile stays as they left it. */
export const changesBetween = (before: Values, after: Values): Values =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !same(value, before[name])))
