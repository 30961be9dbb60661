import {
  filterParameters,
  isHarmless,
  isShown,
  queryNames,
  type Resource,
  type Shown,
  sortFields,
} from '@zoetrope/contract'
import { meant } from './nearest.js'

type QueryTree = Readonly<Record<string, unknown>>

/** A part of a request that is not understood, and ignored unless the request is strict. */
export interface Ignored {
  /** The name of the parameter or field. */
  readonly name: string
  /** The part of its value, if the rest is understood. */
  readonly value?: string
  /** Continues the sentence: "gnre was ignored: …" Finding a similar name takes time, so it is made for few only. */
  why(): string
}

const none: ReadonlySet<string> = new Set()

/** The parameters of a query string that an operation does not have. `more` are names that only its feature knows. */
export function unknownParameters(
  resource: Resource,
  operation: string,
  query: QueryTree,
  more: ReadonlySet<string> = none,
): Ignored[] {
  const known = queryNames(resource, operation)
  const isUnknown = (name: string) => !known.has(name) && !more.has(name) && !isHarmless(name)
  return Object.keys(query)
    .filter(isUnknown)
    .map((name) => ({
      name,
      why: () => whyNoFilter(resource, operation, name) ?? `there is no such parameter${meant(name, known)}`,
    }))
}

/** A known field that cannot be filtered by, or not in this way. */
function whyNoFilter(resource: Resource, operation: string, name: string): string | undefined {
  if (operation !== 'list') return undefined
  const field = name.replace(/(!|\.[a-z]+|_or|_and)$/, '')
  const filters = filterParameters(resource).filter((each) => each.name === field)
  if (filters.length > 0)
    return `${field} has the filters ${filters.map((each) => each.parameter).join(', ')}`
  return Object.hasOwn(resource.fields, name) ? `${resource.plural} have no filter for this field` : undefined
}

/** The names in response_fields that records do not have. */
export function unknownResponseFields(
  { fields, plural, optionalFields = [] }: Shown,
  { response_fields: asked }: QueryTree,
): Ignored[] {
  if (asked === undefined || asked === '') return []
  const shown = Object.entries(fields).flatMap(([name, field]) => (isShown(field) ? [name] : []))
  const known = new Set(['', ...shown, ...optionalFields])
  return (Array.isArray(asked) ? asked : [asked])
    .flatMap((each) => String(each).split(','))
    .map((name) => name.trim())
    .filter((name) => !known.has(name))
    .map((value) => ({
      name: 'response_fields',
      value,
      why: () => `${plural} have no such field${meant(value, known)}`,
    }))
}

/** A sort that names no field. */
export const unknownSort = (resource: Resource, value: string): Ignored => ({
  name: 'sort',
  value,
  why: () => `${resource.plural} have no such field${meant(value, sortFields(resource))}`,
})
