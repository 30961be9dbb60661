import type { FastifyRequest } from 'fastify'
import { raw, sql } from '../db/fragment.js'
import { hasTag } from '../edge/conditional.js'
import { ApiError, invalid } from '../errors.js'
import { quoted } from '../resources/columns.js'
import type { Answer, FileAnswer } from '../resources/feature.js'
import { withinScope } from '../resources/store.js'
import { type Exchange, isConditional } from './exchange.js'
import type { PathTarget } from './path-target.js'
import { prepareReply } from './reply.js'

const changedSince = () =>
  new ApiError(
    412,
    'The record has changed since you read it. Read it again, and repeat your change if it still applies.',
  )

/** The request that reads the record which this one writes. */
const asRead = (request: FastifyRequest): FastifyRequest =>
  Object.create(request, { method: { value: 'GET' } })

type ReadRecord = (exchange: Exchange) => Promise<Answer | FileAnswer | undefined>

/**
 * Compares If-Match with the ETag that a read of the record would have now: RFC 9110 §13.1.1. The row stays locked until
 * the end of the transaction, so nobody changes it between this and the write. A weak tag names the same content,
 * compressed, so it counts as well.
 */
export async function checkUnchanged(
  exchange: Exchange,
  { id, scope }: PathTarget,
  read: ReadRecord,
): Promise<void> {
  const { request, resource, parts, endpoints } = exchange
  if (!isConditional(request)) return
  const endpoint = endpoints.get('GET')
  if (endpoint?.name !== 'get')
    throw invalid('If-Match is possible for PUT and DELETE at the address of one record.')
  const found = sql`${withinScope(resource, scope, true, 'both')} and _id = ${id}`
  const table = raw(quoted(resource.plural))
  // Unlike `for update`, this lets others insert records that refer to it.
  await parts.database.db.run(sql`select from ${table} where ${found} for no key update`)
  const reading = { ...exchange, endpoint, request: asRead(request) }
  const result = await read(reading)
  if (!result || 'text' in result) throw new Error('A record has become something else')
  if (!hasTag(request.headers['if-match'], prepareReply(reading, result).etag)) throw changedSince()
}
