import { type ErrorStatus, errorSchema, type JsonSchema, limits, statuses } from '@zoetrope/contract'
import { schemaRef } from './openapi-schemas.js'

type Responses = Record<string, object>

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

export const headers = {
  RequestId: {
    description: 'Names this request in the log.',
    schema: { type: 'string' },
    example: '01JQ8Z5T3V9M4K7C2X6B1N0RWD',
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 }, example: 1 },
}

export const errorComponent: JsonSchema = { ...errorSchema, xml: { name: 'error' } }

/** The same answer in both formats. An example, where there is one, is given in JSON. */
export function inBothFormats(schema: object, example?: string): object {
  const examples = example ? { examples: { [example]: { $ref: `#/components/examples/${example}` } } } : {}
  return { 'application/json': { schema, ...examples }, 'application/xml': { schema } }
}

export function success(description: string, schema?: object, example?: string): object {
  return { description, headers: requestId, ...(schema ? { content: inBothFormats(schema, example) } : {}) }
}

const messages: Readonly<Record<ErrorStatus, string>> = {
  401: 'Invalid or missing authentication.',
  403: 'This key may read videos but not change them.',
  404: 'Video not found',
  405: 'This path answers GET and POST.',
  413: `The request is larger than ${limits.body_bytes.value} bytes.`,
  422: 'The title is required.',
  429: 'Too many requests; come back in a second.',
  500: 'Something went wrong on our side.',
  503: 'The database cannot be reached for the moment. Try again shortly.',
}

const responseName = (status: ErrorStatus) => statuses[status].code

/** One answer per status of the contract, under its code. */
export function errorResponses(): Responses {
  const known = Object.keys(statuses).map(Number) as ErrorStatus[]
  return Object.fromEntries(known.map((status) => [responseName(status), errorResponse(status)]))
}

function errorResponse(status: ErrorStatus): object {
  const value = {
    message: messages[status],
    code: statuses[status].code,
    ...(status === 422 ? { errors: { title: ['is required'] } } : {}),
    request_id: headers.RequestId.example,
  }
  const schema = schemaRef('Error')
  return {
    description: statuses[status].about,
    headers: { ...requestId, ...(status === 429 || status === 503 ? retryAfter : {}) },
    content: { 'application/json': { schema, example: value }, 'application/xml': { schema } },
  }
}

export function errorsOf(...possible: ErrorStatus[]): Responses {
  return Object.fromEntries(
    possible.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
  )
}
