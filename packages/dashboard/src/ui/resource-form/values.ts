import type { Field } from '@zoetrope/contract'

export type Values = Readonly<Record<string, unknown>>

/** The initial value of an input if the record has none. */
export function startingValue(field: Field): unknown {
  if (field.kind === 'flag') return field.default
  if (field.kind === 'list' || field.kind === 'objects') return []
  if (field.kind === 'map') return {}
  return 'default' in field && field.default !== 'now' ? (field.default ?? null) : null
}

/** The values of a record as its form holds them. */
export const valuesOf = (fields: readonly (readonly [string, Field])[], record?: Values): Values =>
  Object.fromEntries(fields.map(([name, field]) => [name, record?.[name] ?? startingValue(field)]))

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Only the changed fields, so that saving does not overwrite other people's changes. */
export const changesBetween = (before: Values, after: Values): Values =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !same(value, before[name])))

/** Whether a field has a value other than the one it starts with. */
export const isFilled = (field: Field | undefined, value: unknown): boolean =>
  field !== undefined &&
  value !== undefined &&
  value !== '' &&
  !same(value, startingValue(field)) &&
  value !== null
