import type { Field, Resource } from '@zoetrope/contract'

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

export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The field of a record that shows what another one changes: `categories_attributes` changes `categories`. */
export const shownAs = (name: string): string => name.replace(/_attributes$/, '')

/** The values of some fields in a record. A field that changes the items of another one has the value of that. */
export const valuesIn = (
  { fields }: Pick<Resource, 'fields'>,
  record: Values,
  names: readonly string[],
): Values =>
  Object.fromEntries(
    names.map((name) => {
      const field = fields[name]
      return [name, record[shownAs(name)] ?? (field && startingValue(field))]
    }),
  )

/** Only the changed fields, so that saving does not overwrite other people's changes. */
export const changesBetween = (before: Values, after: Values): Values =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !same(value, before[name])))

/** The fields of a new record. The server decides about those that are empty. */
export const given = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** Whether a field has a value other than the one it starts with. */
export const isFilled = (field: Field | undefined, value: unknown): boolean =>
  field !== undefined &&
  value !== undefined &&
  value !== '' &&
  !same(value, startingValue(field)) &&
  value !== null
