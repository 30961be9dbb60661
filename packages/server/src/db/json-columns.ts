import type { Resource } from '@zoetrope/contract'

type ColumnValues = Readonly<Record<string, unknown>>

/** The values of a record as its columns take them: a list of objects as JSON, because lists are sent as arrays. */
export function columnsOf({ fields }: Resource, values: ColumnValues): ColumnValues {
  const isJson = (name: string) => fields[name]?.kind === 'objects' && Array.isArray(values[name])
  const names = Object.keys(values).filter(isJson)
  if (names.length === 0) return values
  return { ...values, ...Object.fromEntries(names.map((name) => [name, JSON.stringify(values[name])])) }
}
