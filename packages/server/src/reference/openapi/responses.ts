import { type ErrorStatus, errorSchema, type JsonSchema, statuses } from '@zoetrope/contract'
import { schemaRef } from './schemas.js'

type Responses = Record<string, object>

export const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
const etag = { ETag: { $ref: '#/components/headers/ETag' } }
const eventId = { 'Event-Id': { $ref: '#/components/headers/EventId' } }
const notice = { 'X-Notice': { $ref: '#/components/headers/Notice' } }
const rateLimit = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
}
const allow = { Allow: { $ref: '#/components/headers/Allow' } }
export const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

export const headers = {
  RequestId: {
    description: 'Names this request in the log.',
    schema: { type: 'string' },
    example: '01JQ8Z5T3V9M4K7C2X6B1N0RWD',
  },
  EventId: {
    description:
      'The events of the written record, the newest first, separated by commas. Undo each of them to undo the write. Only with an Idempotency-Key, and not when an answer is sent again.',
    schema: { type: 'string' },
    example: '6b1f04c20000000000000001',
  },
  ETag: {
    description:
      'Names these very bytes. Sent back as If-None-Match, it is answered with 304 while nothing changed; sent with a PUT or DELETE of the record as If-Match, it is answered with 412 if something has.',
    schema: { type: 'string' },
    example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  Notice: {
    description: 'Which parts of the request were ignored, and why. Absent if none were.',
    schema: { type: 'string' },
    example: 'sort "popularity" was ignored: videos have no such field',
  },
  RateLimit: {
    description:
      'How many requests a named key has left (r) until its minute ends in t seconds. Only if it has a limit.',
    schema: { type: 'string' },
    example: '"key";r=598;t=41',
  },
  RateLimitPolicy: {
    description: 'How many requests it may make (q) in how many seconds (w).',
    schema: { type: 'string' },
    example: '"key";q=600;w=60',
  },
  Allow: { description: 'The verbs this path has.', schema: { type: 'string' }, example: 'GET, POST' },
  WWWAuthenticate: {
    description: 'How to prove who is asking.',
    schema: { type: 'string' },
    example: 'Bearer realm="zoetrope", error="invalid_grant"',
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 }, example: 1 },
}

export const errorComponent: JsonSchema = { ...errorSchema, xml: { name: 'error' } }

/** The same answer in both formats. */
const inBothFormats = (schema: object) => ({ 'application/json': { schema }, 'application/xml': { schema } })

export function success(description: string, schema?: object): object {
  return { description, headers: requestId, ...(schema ? { content: inBothFormats(schema) } : {}) }
}

/** The answer to a write. */
export const written = (description: string, schema?: object): object => ({
  ...success(description, schema),
  headers: { ...requestId, ...eventId, ...notice, ...rateLimit },
})

/** The answers to a read: the bytes with their tag, or 304 if the caller has them already. */
export function readable(description: string, schema: object): Responses {
  return {
    200: { ...success(description, schema), headers: { ...requestId, ...etag, ...notice, ...rateLimit } },
    304: { description: 'Nothing changed since the ETag that was sent as If-None-Match.', headers: etag },
  }
}

/** The answers to a request for a file of one of these types. */
export const readableFile = (types: readonly string[]): Responses => ({
  ...readable('The file.', {}),
  200: {
    description: 'The file.',
    headers: { ...requestId, ...etag },
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
  },
})

/** The answers to a request for a list. */
export const readablePage = (schema: object): Responses => readable('One page.', schema)

const messages: Readonly<Record<ErrorStatus, string>> = {
  401: 'Invalid or missing authentication.',
  403: 'This key may read videos but not change them.',
  404: 'Video not found',
  405: 'PATCH is not possible here. Possible: GET, POST.',
  408: 'The body arrived too slowly. Send it again.',
  409: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
  412: 'The record has changed since you read it. Read it again, and repeat your change if it still applies.',
  413: 'The request is larger than the limit.',
  422: 'Could not save video: title is required.',
  429: 'Too many requests; come back in a second.',
  500: 'Something went wrong on our side. The log has the details under the request id.',
  503: 'The database cannot be reached for the moment. Try again shortly.',
  507: 'The disk of the media storage is full. Free some space, or ask the operator to.',
}

const authenticate = { 'WWW-Authenticate': { $ref: '#/components/headers/WWWAuthenticate' } }

const extraHeaders: Partial<Record<ErrorStatus, object>> = {
  401: authenticate,
  405: allow,
  409: retryAfter,
  429: { ...retryAfter, ...rateLimit },
  503: retryAfter,
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
    headers: { ...requestId, ...extraHeaders[status] },
    content: { 'application/json': { schema, example: value }, 'application/xml': { schema } },
  }
}

export function errorsOf(...possible: ErrorStatus[]): Responses {
  return Object.fromEntries(
    possible.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
  )
}
