import { type FilterParameter, filterParameters, limits, type Resource } from '@zoetrope/contract'
import type { Db, Fragment } from '../db/database.js'
import { invalid } from '../errors.js'
import { isStorableText } from '../lib/clean.js'
import { readMoment } from '../lib/moment.js'
import { isId } from '../lib/object-id.js'
import { quoted } from './columns.js'

type Query = Readonly<Record<string, unknown>>
type Scalar = string | number | boolean
type Compare = (db: Db, filter: FilterParameter, value: unknown) => Fragment

const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** How PostgreSQL must read a value, so that 1.5 can be compared with whole numbers too. */
const types: Readonly<Record<string, { readonly name: string; readonly oid: number }>> = {
  flag: { name: 'boolean', oid: 16 },
  integer: { name: 'double precision', oid: 701 },
  number: { name: 'double precision', oid: 701 },
  timestamp: { name: 'timestamptz', oid: 1184 },
}
const typeOf = ({ field }: FilterParameter) => types[field.kind] ?? { name: 'text', oid: 25 }

/** The conditions that a query string asks for: declared filters with a value, and nothing else. */
export function filterConditions(db: Db, resource: Resource, query: Query): Fragment[] {
  return filterParameters(resource).flatMap((filter) => {
    const value = Object.hasOwn(query, filter.parameter) ? query[filter.parameter] : undefined
    if (filter.field.hides || isEmpty(value)) return []
    return [comparisons[kindOf(filter)](db, filter, value)]
  })
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.every(isEmpty))

const column = (db: Db, { name }: FilterParameter) => db.unsafe(quoted(name))

type Kind = 'set' | 'tagged' | 'range' | 'moment' | 'value'

function kindOf({ field, comparison }: FilterParameter): Kind {
  if (field.kind === 'list') return 'set'
  if (field.kind === 'objects') return 'tagged'
  if (comparison in operators) return 'range'
  return field.kind === 'timestamp' ? 'moment' : 'value'
}

const comparisons: Readonly<Record<Kind, Compare>> = {
  value(db, filter, value) {
    if (filter.field.kind === 'flag') return flagged(db, filter, value)
    const values = scalars(filter, value).map((each) => typed(filter, each))
    const array = db.array(values as never, typeOf(filter).oid)
    if (filter.comparison !== 'not') return db`${column(db, filter)} = any(${array})`
    return db`(${column(db, filter)} is null or ${column(db, filter)} <> all(${array}))`
  },
  range(db, filter, asked) {
    const [given] = scalars(filter, asked, 1)
    const operator = db.unsafe(operators[filter.comparison as keyof typeof operators])
    const value = typed(filter, given as Scalar) as never
    return db`${column(db, filter)} ${operator} ${value}::${db.unsafe(typeOf(filter).name)}`
  },
  /** A bare date means that whole day. */
  moment(db, filter, value) {
    const [given] = scalars(filter, value, 1)
    const moment = readMoment(given)
    if (!moment) throw badValue(filter, 'must be a date: ISO 8601 or seconds since 1970')
    const end = new Date(moment.at.getTime() + (moment.day ? 86_400_000 : 1))
    return db`(${column(db, filter)} >= ${moment.at} and ${column(db, filter)} < ${end})`
  },
  set(db, filter, value) {
    const values = scalars(filter, value).flatMap((each) => String(each).split(','))
    if (filter.comparison === 'not') return db`not ${column(db, filter)} && ${values}::text[]`
    const operator = filter.comparison === 'all' ? db`@>` : db`&&`
    // Said although it follows: only then is an index of the records that have any used.
    return db`(${column(db, filter)} ${operator} ${values}::text[] and ${column(db, filter)} <> '{}')`
  },
  /** name[Title]=value: objects with a title and a list of values. */
  tagged(db, filter, value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw badValue(filter, `is written as ${filter.parameter}[Title]=value`)
    const groups = Object.entries(value)
      .map(([title, given]) =>
        scalars(filter, given).map((each) => JSON.stringify([{ title, value: [String(each)] }])),
      )
      .filter((group) => group.length > 0)
    if (groups.length === 0) return db`true`
    const has = (json: string) => db`${column(db, filter)} @> ${json}::text::jsonb`
    const join = (parts: readonly Fragment[], word: 'and' | 'or') =>
      parts.reduce((left, right) => db`${left} ${db.unsafe(word)} ${right}`)
    const within = filter.comparison === 'all' ? 'and' : 'or'
    const across = filter.comparison === 'any' || filter.comparison === 'all' ? 'and' : 'or'
    const all = join(
      groups.map((group) => db`(${join(group.map(has), within)})`),
      across,
    )
    return filter.comparison === 'not' ? db`not (${all})` : db`((${all}) and ${column(db, filter)} <> '[]')`
  },
}

/** Written out rather than passed: only then is an index of the records with this flag used. */
function flagged(db: Db, filter: FilterParameter, value: unknown): Fragment {
  const [given, ...others] = scalars(filter, value).map((each) => typed(filter, each))
  if (others.some((other) => other !== given)) return db`true`
  return given === true ? db`${column(db, filter)}` : db`not ${column(db, filter)}`
}

const badValue = ({ parameter }: FilterParameter, why: string) =>
  invalid(`${parameter} ${why}.`, { [parameter]: [why] })

/** One value or several (name[]=a&name[]=b), flattened and counted. */
function scalars(
  filter: FilterParameter,
  value: unknown,
  most: number = limits.filter_values.value,
): Scalar[] {
  const values = (Array.isArray(value) ? value : [value]).filter((each) => !isEmpty(each))
  if (values.length > most)
    throw badValue(filter, most === 1 ? 'takes one value' : `takes at most ${most} values`)
  for (const each of values) {
    if (typeof each === 'object') throw badValue(filter, 'must be a plain value or a list of them')
    if (String(each).length > limits.filter_length.value)
      throw badValue(filter, `must be at most ${limits.filter_length.value} characters long`)
    if (!isStorableText(String(each))) throw badValue(filter, 'must not contain control characters')
  }
  return values as Scalar[]
}

/** A value as the field holds it; what the field could never hold is refused, except ids: those simply match nothing. */
function typed(filter: FilterParameter, value: Scalar): Scalar | Date {
  const { field } = filter
  const text = String(value)
  switch (field.kind) {
    case 'flag':
      return readFlag(text) ?? fail(filter, 'must be true or false')
    case 'integer':
    case 'number':
      return readNumber(text) ?? fail(filter, 'must be a number')
    case 'timestamp':
      return readMoment(value)?.at ?? fail(filter, 'must be a date: ISO 8601 or seconds since 1970')
    case 'choice':
      return field.options.some((option) => String(option) === text)
        ? text
        : fail(filter, `must be one of ${field.options.join(', ')}`)
    case 'id':
      return isId(text) ? text : ''
    default:
      return text
  }
}

function fail(filter: FilterParameter, why: string): never {
  throw badValue(filter, why)
}

export function readFlag(text: string): boolean | undefined {
  if (/^(true|1|yes|on)$/i.test(text)) return true
  if (/^(false|0|no|off)$/i.test(text)) return false
  return undefined
}

export function readNumber(text: string): number | undefined {
  const value = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?\s*$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}
