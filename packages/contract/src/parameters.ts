import type { Field, FilterTest } from './fields.js'
import type { Resource } from './resource.js'

export type Comparison = 'is' | 'not' | 'gt' | 'gte' | 'lt' | 'lte' | 'any' | 'or' | 'all'

/** One filter of a list: the name of its parameter, the field it looks at, and how. */
export interface FilterParameter {
  readonly parameter: string
  readonly name: string
  readonly field: Field
  readonly comparison: Comparison
}

/** What each test adds to the parameter's name, and the comparison it asks for. */
const suffixes: Readonly<Record<FilterTest, readonly (readonly [suffix: string, Comparison])[]>> = {
  is: [['', 'is']],
  not: [['!', 'not']],
  range: [
    ['.gt', 'gt'],
    ['.gte', 'gte'],
    ['.lt', 'lt'],
    ['.lte', 'lte'],
  ],
  any: [['', 'any']],
  or: [['_or', 'or']],
  all: [['_and', 'all']],
}

/** Every filter a resource declares, one entry per parameter name. Nothing else can be filtered by. */
export function filterParameters(resource: Resource): FilterParameter[] {
  return Object.entries(resource.fields).flatMap(([name, field]) =>
    (field.filterAs ?? [name]).flatMap((parameter) =>
      (field.filter ?? [])
        .flatMap((test) => suffixes[test])
        .map(([suffix, comparison]) => ({ parameter: parameter + suffix, name, field, comparison })),
    ),
  )
}

export function sortFields(resource: Resource): string[] {
  return Object.entries(resource.fields).flatMap(([name, field]) => (field.sort ? [name] : []))
}

export function searchFields(resource: Resource): string[] {
  return Object.entries(resource.fields).flatMap(([name, field]) => (field.search ? [name] : []))
}

/** The flag that hides a record from viewers, if the resource has one. */
export function hidingField(resource: Resource): string | undefined {
  return Object.entries(resource.fields).find(([, field]) => field.hides)?.[0]
}
