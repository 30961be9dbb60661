import {
  type Comparison,
  type Field,
  type FilterParameter,
  filterParameters,
  type JsonSchema,
  limits,
  type Resource,
  searchFields,
  sortFields,
} from '@zoetrope/contract'

export const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the record. One that is not of this form is answered with 404.',
  schema: { type: 'string', pattern: '^[0-9a-f]{24}$' },
  example: '65f0c0ffee0123456789abcd',
}

/** The parameters that mean the same for every list. */
export const sharedParameters: Readonly<Record<string, JsonSchema>> = {
  page: {
    name: 'page',
    in: 'query',
    description:
      'The page to return, counted from 0. Where the channel or the app has `first_page` set to 1, pages count from 1. A page beyond the last is empty.',
    schema: { type: 'integer', minimum: 0, maximum: limits.page.value, default: 0 },
  },
  per_page: {
    name: 'per_page',
    in: 'query',
    description: `Records on a page. More than ${limits.per_page.value} is cut to ${limits.per_page.value}.`,
    schema: { type: 'integer', minimum: 1, default: 10 },
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    description:
      'Continues after the last record of an earlier page: `pagination.next_cursor` of that answer. Use it instead of `page` to walk a whole list; it neither skips nor repeats while records come and go. `sort` and `order` must stay the same.',
    schema: { type: 'string' },
  },
}

export function listParameters(resource: Resource): object[] {
  return [
    ...Object.keys(sharedParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...sorting(resource),
    ...search(resource),
    responseFields(resource),
    ...filterParameters(resource).map(filter),
  ]
}

function sorting(resource: Resource): object[] {
  const { sort, order } = resource.order
  return [
    {
      name: 'sort',
      in: 'query',
      description: 'The field to sort by.',
      schema: { type: 'string', enum: sortFields(resource), default: sort },
    },
    {
      name: 'order',
      in: 'query',
      description: `Upwards or downwards; \`asc\` when only \`sort\` is given, \`${order}\` when neither is.`,
      schema: { type: 'string', enum: ['asc', 'desc'] },
    },
  ]
}

function search(resource: Resource): object[] {
  const fields = searchFields(resource)
  if (fields.length === 0) return []
  const description = `Keywords, looked for in ${fields.map((name) => `\`${name}\``).join(', ')}.`
  return [
    {
      name: 'q',
      in: 'query',
      description,
      schema: { type: 'string', maxLength: limits.search_length.value },
    },
  ]
}

function responseFields(resource: Resource): object {
  return {
    name: 'response_fields',
    in: 'query',
    style: 'form',
    explode: false,
    description: 'Names of the fields to return, separated by commas; all of them when absent.',
    schema: { type: 'array', items: { type: 'string', enum: Object.keys(resource.fields) } },
  }
}

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

function meaningOf({ name, field, comparison }: FilterParameter): string {
  const meanings =
    { timestamp: ofTime, list: ofMany, objects: ofTitled }[field.kind as 'timestamp' | 'list' | 'objects'] ??
    ofOne
  return (meanings[comparison] ?? field.about).replace(/\bx\b/, `\`${name}\``)
}

function filter(asked: FilterParameter): object {
  const { parameter, field, comparison } = asked
  const about = { name: parameter, in: 'query', description: meaningOf(asked) }
  if (field.hides) return { ...about, ...hiding }
  if (field.kind === 'objects') return { ...about, ...byTitle(about.description, parameter) }
  const schema = askedValue(field)
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

function askedValue(field: Field): JsonSchema {
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
      return { enum: [...field.options] }
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
    example: { Genre: 'Drama' },
  }
}
