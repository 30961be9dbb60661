import {
  type Action,
  actionSchema,
  ancestorsOf,
  apiVersions,
  filterParameters,
  type JsonSchema,
  limits,
  newestVersion,
  parentField,
  type Resource,
  searchFields,
  shownFields,
  sortFields,
} from '@zoetrope/contract'
import { filterParameter } from './filters.js'
import { oneOf } from './names.js'
import { documented } from './schemas.js'

export const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the record. One that is not of this form is answered with 404.',
  schema: { type: 'string', pattern: '^[0-9a-f]{24}$' },
  example: '65f0c0ffee0123456789abcd',
}

export const inQuery = (name: string, type: string, description: string) => ({
  name,
  in: 'query',
  description,
  schema: { type },
})

const parentParameter = (parent: Resource) => ({
  ...idParameter,
  name: parentField(parent),
  description: `The id of ${oneOf(parent)}. One that is not there for the caller is answered with 404.`,
})

/** The ids in a path: those of the records it is inside of, and that of the record itself. */
export const pathParameters = (resource: Resource, onMember: boolean): object[] => [
  ...ancestorsOf(resource).reverse().map(parentParameter),
  ...(onMember ? [idParameter] : []),
]

/** What an action that reads is asked with stands in the query string. */
export function queryParameters(fields: NonNullable<Action['body']>): object[] {
  const schema = documented(actionSchema(fields), fields)
  return Object.entries(schema.properties as Record<string, JsonSchema>).map(
    ([name, { description, ...value }]) => ({
      name,
      in: 'query',
      required: fields[name]?.required === true,
      description,
      schema: value,
    }),
  )
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

/** The parameters that mean the same for every write. */
export const writeParameters: Readonly<Record<string, JsonSchema>> = {
  idempotency_key: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Up to 255 visible ASCII characters of your choice, new for each write, such as a UUID. If the same request with the same key arrives again within a day, nothing is done twice: it gets the first answer again, with `Idempotent-Replayed: true`. Another request with the same key is answered with 422.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  dry_run: {
    name: 'dry_run',
    in: 'query',
    description:
      'With `true`, everything is checked and computed, and nothing is changed. The answer is what it would have been, with `Dry-Run: true`.',
    schema: { type: 'boolean', default: false },
  },
}

/** The parameters that mean the same for every change of one record. */
export const changeParameters: Readonly<Record<string, JsonSchema>> = {
  if_match: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag of the record as you read it, in the same format and with the same parameters. If the record has changed since then, nothing is done and the answer is 412.',
    schema: { type: 'string' },
  },
}

/** What every request to a resource may have. The pages of the reference explain it once. */
export const requestParameters: Readonly<Record<string, JsonSchema>> = {
  zoetrope_version: {
    name: 'Zoetrope-Version',
    in: 'header',
    description: 'The version of the API that the program was written for; the newest if absent.',
    schema: { enum: [...apiVersions], default: newestVersion },
  },
  zoetrope_strict: {
    name: 'Zoetrope-Strict',
    in: 'header',
    description:
      'With `1`, parameters and fields that are not understood are answered with 422. Otherwise they are ignored, and named in `X-Notice`.',
    schema: { enum: ['0', '1'], default: '0' },
  },
}

const refersTo = (name: string) => ({ $ref: `#/components/parameters/${name}` })

export const requestOptions = Object.keys(requestParameters).map(refersTo)

/** What every write may be sent with. */
export const writeOptions = Object.keys(writeParameters).map(refersTo)

/** What every change of one record may be sent with. */
export const changeOptions = [...Object.keys(changeParameters).map(refersTo), ...writeOptions]

export const listParameters = (resource: Resource): object[] => parametersOfList(resource, {})

/** The same with what only the resource's own list has. */
export const ownListParameters = (resource: Resource): object[] =>
  parametersOfList(resource, resource.wideSearch ?? {})

function parametersOfList(resource: Resource, more: NonNullable<Action['body']>): object[] {
  return [
    ...Object.keys(sharedParameters).map(refersTo),
    ...sorting(resource),
    ...search(resource),
    responseFields(resource),
    ...queryParameters({ ...resource.readOptions, ...resource.listOptions, ...more }),
    ...filterParameters(resource).map(filterParameter),
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
      schema: { type: 'string', enum: ['asc', 'desc'], default: order },
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

export function responseFields(resource: Resource): object {
  return {
    name: 'response_fields',
    in: 'query',
    style: 'form',
    explode: false,
    description:
      'Names of the fields to return, separated by commas; the id always comes too. All fields when absent.',
    schema: { type: 'array', items: { type: 'string', enum: shownFields(resource) } },
  }
}
