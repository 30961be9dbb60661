import {
  type Comparison,
  type Field,
  type FilterParameter,
  type JsonSchema,
  limits,
} from '@zoetrope/contract'
import { choiceSchema } from './schemas.js'

type Meanings = Readonly<Partial<Record<Comparison, string>>>

/** What a filter keeps, by the kind of field it looks at; `x` stands for the field. */
const ofOne: Meanings = {
  is: 'Keeps records whose x is this.',
  not: 'Leaves out records whose x is this.',
  gt: 'Keeps records whose x is above this.',
  gte: 'Keeps records whose x is this or above.',
  lt: 'Keeps records whose x is below this.',
  lte: 'Keeps records whose x is this or below.',
}
const ofTime: Meanings = {
  is: 'Keeps records whose x is this moment, or falls on this day (UTC) when only a date is given.',
  gt: 'Keeps records whose x is after this.',
  gte: 'Keeps records whose x is this or after.',
  lt: 'Keeps records whose x is before this.',
  lte: 'Keeps records whose x is this or before.',
}
const ofMany: Meanings = {
  not: 'Leaves out records that have any of these in x.',
  any: 'Keeps records that have at least one of these in x.',
  or: 'Keeps records that have at least one of these in x.',
  all: 'Keeps records that have every one of these in x.',
}
const ofTitled: Meanings = {
  not: 'Leaves out records that have any of these values in x.',
  any: 'Keeps records that have, for each title given, at least one of its values in x.',
  or: 'Keeps records that have at least one of these values in x, whatever its title.',
  all: 'Keeps records that have every one of these values in x.',
}

const ofPairs: Meanings = { is: 'Keeps records that have each of these values in x.' }

function meaningOf({ name, field, comparison }: FilterParameter): string {
  const meanings: Partial<Record<Field['kind'], Meanings>> = {
    timestamp: ofTime,
    list: ofMany,
    objects: ofTitled,
    map: ofPairs,
  }
  return ((meanings[field.kind] ?? ofOne)[comparison] ?? field.about).replace(/\bx\b/, `\`${name}\``)
}

/** A filter of a list as a parameter: what it keeps, and how its values are written. */
export function filterParameter(asked: FilterParameter): object {
  const { parameter, field, comparison } = asked
  const about = { name: parameter, in: 'query', description: meaningOf(asked) }
  if (field.hides === true) return { ...about, ...hiding }
  if (field.kind === 'objects') return { ...about, ...byTitle(about.description, parameter) }
  if (field.kind === 'map') return { ...about, ...byName(about.description, parameter) }
  const schema = askedValue(field, comparison)
  if (takesOne(field.kind, comparison)) return { ...about, schema }
  return {
    ...about,
    style: 'form',
    explode: true,
    description: `${about.description} Several values: \`${parameter}[]=a&${parameter}[]=b\`.`,
    schema: { type: 'array', items: schema, maxItems: limits.filter_values.value },
  }
}

const hiding = {
  description: 'Active records, inactive ones, or all. Only the admin key may ask for anything but `true`.',
  schema: { type: 'string', enum: ['true', 'false', 'all'], default: 'true' },
}

function takesOne(kind: Field['kind'], comparison: Comparison): boolean {
  return kind === 'flag' || kind === 'timestamp' || ['gt', 'gte', 'lt', 'lte'].includes(comparison)
}

function askedValue(field: Field, comparison: Comparison): JsonSchema {
  switch (field.kind) {
    case 'flag':
      return { type: 'boolean' }
    case 'integer':
    case 'number':
      return { type: field.kind }
    case 'timestamp':
      // A format speaks of strings only: a number is seconds since 1970.
      return { type: ['string', 'integer'], format: 'date-time' }
    case 'choice':
      // Generators name the type of the choices after the parameter, and would name those of `status` and `status!` alike.
      return comparison === 'not' ? { type: choiceSchema(field.options).type } : choiceSchema(field.options)
    default:
      return { type: 'string', maxLength: limits.filter_length.value }
  }
}

function byTitle(meaning: string, parameter: string): object {
  const value = { type: 'string', maxLength: limits.filter_length.value }
  return {
    style: 'deepObject',
    explode: true,
    description: `${meaning} The title goes into brackets: \`${parameter}[Genre]=Drama\`, or \`${parameter}[Genre][]=Drama&${parameter}[Genre][]=Comedy\`.`,
    schema: { type: 'object', additionalProperties: { anyOf: [value, { type: 'array', items: value }] } },
  }
}

function byName(meaning: string, parameter: string): object {
  const value = { type: ['string', 'number', 'boolean'], maxLength: limits.filter_length.value }
  return {
    style: 'deepObject',
    explode: true,
    description: `${meaning} The name goes into brackets: \`${parameter}[name]=value\`.`,
    schema: { type: 'object', additionalProperties: value },
  }
}
