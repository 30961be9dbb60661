import { type Field, type FilterTest, isShown } from './fields.js'
import type { Resource } from './resource.js'

export type Comparison = 'is' | 'not' | 'gt' | 'gte' | 'lt' | 'lte' | 'any' | 'or' | 'all'

/** One filter of a list: the name of its parameter, the field it looks at, and how. */
export interface FilterParameter {
  readonly parameter: string
  readonly name: string
  readonly field: Field
  readonly comparison: Comparison
}

/** The suffix that each test adds to the parameter's name, and its comparison. */
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

/** Computed once for each resource, because every request needs them. */
export function perResource<T>(compute: (resource: Resource) => T): (resource: Resource) => T {
  const known = new WeakMap<Resource, { readonly value: T }>()
  return (resource) => {
    const found = known.get(resource)
    if (found) return found.value
    const value = compute(resource)
    known.set(resource, { value })
    return value
  }
}

/** Every filter a resource declares, one entry per parameter name. Nothing else can be filtered by. */
export const filterParameters = perResource((resource): readonly FilterParameter[] =>
  Object.entries(resource.fields).flatMap(([name, field]) =>
    (field.filterAs ?? [name]).flatMap((parameter) =>
      (field.filter ?? [])
        .flatMap((test) => suffixes[test])
        .map(([suffix, comparison]) => ({ parameter: parameter + suffix, name, field, comparison })),
    ),
  ),
)

/** The same by the name of the parameter. */
export const filtersByName = perResource(
  (resource): ReadonlyMap<string, FilterParameter> =>
    new Map(filterParameters(resource).map((filter) => [filter.parameter, filter])),
)

const fieldsWhere = (wanted: (field: Field) => unknown) =>
  perResource((resource): readonly string[] =>
    Object.entries(resource.fields).flatMap(([name, field]) => (wanted(field) ? [name] : [])),
  )

export const sortFields = fieldsWhere(({ sort }) => sort)
export const searchFields = fieldsWhere(({ search }) => search)
export const secretFields = fieldsWhere(({ kind }) => kind === 'secret')
export const shownOnce = fieldsWhere(({ once }) => once)
/** The names in a record: all but what is only ever written. */
export const shownFields = fieldsWhere(isShown)
/** The names under which a multipart body may bring a file. */
export const fileFields = perResource((resource) => filesAmong(resource.fields))

const filesAmong = (fields: Resource['fields']): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === 'objects') return filesAmong(field.of)
    return field.kind === 'file' ? [name] : []
  })

const hidingFields = fieldsWhere(({ hides }) => hides === true)
const hidingChoices = fieldsWhere(({ hides }) => typeof hides === 'string')

/** The flag that hides a record from viewers, if the resource has one. */
export const hidingField = (resource: Resource): string | undefined => hidingFields(resource)[0]

/** The choice that hides a record from viewers by its value, if the resource has one. */
export const hidingChoice = (resource: Resource): string | undefined => hidingChoices(resource)[0]
