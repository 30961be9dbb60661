import { type FilterParameter, filtersByName, limits, type Resource } from '@zoetrope/contract'
import { type Fragment, raw, sql } from '../db/fragment.js'
import { invalidParameter } from '../errors.js'
import { isStorableText } from '../lib/clean.js'
import { isObject } from '../lib/is-object.js'
import { isLanguage, languageCode } from '../lib/language.js'
import { readMoment } from '../lib/moment.js'
import { isId } from '../lib/object-id.js'
import { readFlag, readNumber } from '../lib/read-scalar.js'
import { comparedType, quoted } from './columns.js'
import type { Query } from './projection.js'

type Scalar = string | number | boolean
type Compare = (filter: FilterParameter, value: unknown) => Fragment

const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** The declared filters that have a value in a query string. Everything else is ignored. */
function filtersIn(resource: Resource, query: Query): [FilterParameter, unknown][] {
  return Object.entries(query).flatMap(([name, value]): [FilterParameter, unknown][] => {
    const filter = filtersByName(resource).get(name)
    return filter && filter.field.hides !== true && !isEmpty(value) ? [[filter, value]] : []
  })
}

export const filterConditions = (resource: Resource, query: Query): Fragment[] =>
  filtersIn(resource, query).map(([filter, value]) => comparisons[kindOf(filter)](filter, value))

/** Whether there are no filters, or only exact ones including one on text. Those use an index that leaves few rows. */
export function isPlain(resource: Resource, query: Query): boolean {
  const filters = filtersIn(resource, query).map(([filter]) => filter)
  const exact = filters.every((filter) => filter.comparison === 'is' && kindOf(filter) === 'value')
  return (
    exact &&
    (filters.length === 0 || filters.some(({ field }) => field.kind === 'text' || field.kind === 'id'))
  )
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.every(isEmpty))

const column = ({ name }: FilterParameter) => raw(quoted(name))

type Kind = 'set' | 'tagged' | 'pairs' | 'range' | 'moment' | 'value'

function kindOf({ field, comparison }: FilterParameter): Kind {
  if (field.kind === 'list') return 'set'
  if (field.kind === 'objects') return 'tagged'
  if (field.kind === 'map') return 'pairs'
  if (comparison in operators) return 'range'
  return field.kind === 'timestamp' ? 'moment' : 'value'
}

const comparisons: Readonly<Record<Kind, Compare>> = {
  value(filter, value) {
    const values = scalars(filter, value).map((each) => typed(filter, each))
    if (filter.field.kind === 'flag') return flagged(filter, values)
    const array = sql`${values}::${raw(comparedType(filter.field))}[]`
    if (filter.comparison !== 'not') return sql`${column(filter)} = any(${array})`
    return sql`(${column(filter)} is null or ${column(filter)} <> all(${array}))`
  },
  range(filter, asked) {
    const [given] = scalars(filter, asked, 1)
    const operator = raw(operators[filter.comparison as keyof typeof operators])
    const value = typed(filter, given as Scalar)
    return sql`${column(filter)} ${operator} ${value}::${raw(comparedType(filter.field))}`
  },
  /** A bare date means that whole day. */
  moment(filter, value) {
    const [given] = scalars(filter, value, 1)
    const moment = readMoment(given)
    if (!moment) refuse(filter, 'must be a date: ISO 8601 or seconds since 1970')
    const end = new Date(moment.at.getTime() + (moment.day ? 86_400_000 : 1))
    return sql`(${column(filter)} >= ${moment.at} and ${column(filter)} < ${end})`
  },
  set(filter, value) {
    const values = scalars(filter, value).flatMap((each) => String(each).split(','))
    if (filter.comparison === 'not') return sql`not ${column(filter)} && ${values}::text[]`
    const operator = filter.comparison === 'all' ? sql`@>` : sql`&&`
    // Redundant, but PostgreSQL needs it to use the partial index on records with a non-empty list.
    return sql`(${column(filter)} ${operator} ${values}::text[] and ${column(filter)} <> '{}')`
  },
  /** name[Title]=value: objects with a title and a list of values. */
  tagged(filter, value) {
    if (!isObject(value)) refuse(filter, `is written as ${filter.parameter}[Title]=value`)
    const groups = Object.entries(value)
      .map(([title, given]) =>
        scalars(filter, given).map((each) => JSON.stringify([{ title, value: [String(each)] }])),
      )
      .filter((group) => group.length > 0)
    if (groups.length === 0) return sql`true`
    const has = (json: string) => sql`${column(filter)} @> ${json}::text::jsonb`
    const joined = (parts: readonly Fragment[], isAnd: boolean) =>
      parts.reduce((left, right) => sql`${left} ${isAnd ? sql`and` : sql`or`} ${right}`)
    const isAll = filter.comparison === 'all'
    const each = groups.map((group) => sql`(${joined(group.map(has), isAll)})`)
    const all = joined(each, isAll || filter.comparison === 'any')
    return filter.comparison === 'not' ? sql`not (${all})` : sql`((${all}) and ${column(filter)} <> '[]')`
  },
  /** name[key]=value: records that have all of these pairs, as text or as the JSON value of the text. */
  pairs(filter, value) {
    if (!isObject(value)) refuse(filter, `is written as ${filter.parameter}[name]=value`)
    return Object.entries(value).reduce((left, [key, given]) => {
      const [text] = scalars(filter, given, 1).map(String)
      if (text === undefined) return left
      const asText = JSON.stringify({ [key]: text })
      const asJson = /^(true|false|-?(0|[1-9]\d{0,14})(\.\d{1,6})?)$/.test(text)
        ? `{${JSON.stringify(key)}:${text}}`
        : asText
      return sql`${left} and (${column(filter)} @> ${asText}::text::jsonb or ${column(filter)} @> ${asJson}::text::jsonb)`
    }, sql`true`)
  },
}

/** The value is written into the statement, because PostgreSQL cannot match a parameter to a partial index. */
function flagged(filter: FilterParameter, values: readonly unknown[]): Fragment {
  if (new Set(values).size > 1) return sql`true`
  return values[0] === true ? column(filter) : sql`not ${column(filter)}`
}

function refuse({ parameter }: FilterParameter, why: string): never {
  throw invalidParameter(parameter, why)
}

/** One value or several (name[]=a&name[]=b), checked. */
function scalars(
  filter: FilterParameter,
  value: unknown,
  most: number = limits.filter_values.value,
): Scalar[] {
  const values = (Array.isArray(value) ? value : [value]).filter((each) => !isEmpty(each))
  if (values.length > most) refuse(filter, most === 1 ? 'takes one value' : `takes at most ${most} values`)
  for (const each of values) {
    if (typeof each === 'object') refuse(filter, 'must be a plain value or a list of them')
    if (String(each).length > limits.filter_length.value)
      refuse(filter, `must be at most ${limits.filter_length.value} characters long`)
    if (!isStorableText(String(each))) refuse(filter, 'must not contain control characters')
  }
  return values as Scalar[]
}

/**
 * Converts a value to the type of the field. Throws if that is impossible, except for an invalid id, which matches
 * nothing.
 */
function typed(filter: FilterParameter, value: Scalar): Scalar | Date {
  const { field } = filter
  const text = String(value)
  switch (field.kind) {
    case 'flag':
      return readFlag(text) ?? refuse(filter, 'must be true or false')
    case 'integer':
    case 'number':
      return readNumber(text) ?? refuse(filter, 'must be a number')
    case 'timestamp':
      return readMoment(value)?.at ?? refuse(filter, 'must be a date: ISO 8601 or seconds since 1970')
    case 'choice':
      return field.options.some((option) => String(option) === text)
        ? text
        : refuse(filter, `must be one of ${field.options.join(', ')}`)
    case 'id':
      return isId(text) ? text : ''
    default:
      return isLanguage(field) ? (languageCode(text) ?? text) : text
  }
}
