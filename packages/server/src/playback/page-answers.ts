import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusedByFramework } from '../api/error-handler.js'
import { violation } from '../db/violation.js'
import { ApiError, isOverload } from '../errors.js'
import { refusalPage, refusalPolicy, type WayIn } from './embed-page.js'

/** A page with a form has the referrer policy `same-origin`: without it, browsers hide the origin of what is sent. */
export type ReferrerPolicy = 'no-referrer' | 'same-origin'

export const sendPage = (
  reply: FastifyReply,
  page: string,
  policy: string,
  referrer: ReferrerPolicy = 'no-referrer',
): FastifyReply =>
  reply
    .headers({ 'content-security-policy': policy, 'referrer-policy': referrer })
    .type('text/html; charset=utf-8')
    .send(page)

/** Explains on a page why there is no video. */
export function refuseWithPage(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  way?: WayIn,
): FastifyReply {
  const known = error instanceof ApiError ? error : (refusedByFramework(error) ?? fault(error))
  if (known.status >= 500 && !isOverload(error))
    request.log.error({ err: error, request_id: request.id }, error.message)
  const { status, code, message, headers } = known
  reply.status(status).headers({ ...headers, 'cache-control': 'no-store' })
  return sendPage(reply, refusalPage(status, code, message, way), refusalPolicy)
}

const fault = (cause: Error) =>
  violation(cause)
    ? new ApiError(503, 'Please try again in a minute.', { headers: { 'Retry-After': '1' } })
    : new ApiError(500, 'The fault is on our side. Please try again later.')
