import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { formatOf, mediaTypes } from '../api/format.js'
import { writeXml } from '../api/xml.js'
import { violation } from '../db/violation.js'
import { ApiError, challenge, isOverload } from '../errors.js'

/** The error codes of RFC 6749 §5.2, RFC 6750 §3.1 and RFC 8628 §3.5 with their statuses. */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 401,
  invalid_token: 401,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  method_not_allowed: 405,
  too_many_requests: 429,
  server_error: 500,
  temporarily_unavailable: 503,
} as const

export type OAuthCode = keyof typeof statuses

/** An error response of a token endpoint. */
export class OAuthError extends Error {
  readonly code: OAuthCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: OAuthCode,
    description: string,
    {
      headers = {},
      status,
      ...options
    }: { headers?: Record<string, string>; status?: number } & ErrorOptions = {},
  ) {
    super(description, options)
    this.code = code
    this.status = status ?? statuses[code]
    this.headers = headers
  }
}

export const invalidRequest = (why: string) => new OAuthError('invalid_request', why)

/** The credential offered for tokens is not valid. The message must not reveal which accounts exist. */
export const invalidGrant = (why: string) => new OAuthError('invalid_grant', why)

export const unverified = () =>
  new OAuthError(
    'invalid_grant',
    'The e-mail address has to be confirmed first, with the link in the mail sent to it.',
  )

/**
 * Sends an error of a token endpoint: `error` and `error_description` for standard clients, `message` for
 * ours.
 */
export function sendOAuthError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = asOAuth(error)
  if (refusal.status >= 500 && !isOverload(error))
    request.log.error({ err: error, request_id: request.id }, error.message)
  const authenticate = refusal.status === 401 ? { 'www-authenticate': challengeOf(request, refusal) } : {}
  const body = { error: refusal.code, error_description: refusal.message, message: refusal.message }
  return sendUncached(
    request,
    reply.status(refusal.status).headers({ ...authenticate, ...refusal.headers }),
    body,
    'error',
  )
}

function asOAuth(error: FastifyError): OAuthError {
  if (error instanceof OAuthError) return error
  if (error instanceof ApiError) return translated(error)
  if (error.statusCode === 413)
    return new OAuthError('invalid_request', 'The request is larger than the limit.', { status: 413 })
  if (error.statusCode !== undefined && error.statusCode < 500) return invalidRequest(error.message)
  // A record the request depends on may be deleted at the same moment; on the next attempt the client gets
  // the real reason.
  if (['unavailable', 'interrupted', 'too_slow', 'disk_full', 'foreign_key'].includes(violation(error) ?? ''))
    return new OAuthError('temporarily_unavailable', 'Not possible for the moment. Try again shortly.', {
      headers: { 'Retry-After': '1' },
    })
  return new OAuthError('server_error', 'Something went wrong on our side. The log has the details.')
}

function translated({ status, message, headers }: ApiError): OAuthError {
  const given = { headers: { ...headers } }
  if (status === 429) return new OAuthError('too_many_requests', message, given)
  if (status === 503) return new OAuthError('temporarily_unavailable', message, given)
  if (status === 405) return new OAuthError('method_not_allowed', message, given)
  const isAboutSize = status === 408 || status === 413
  return new OAuthError('invalid_request', message, { ...given, status: isAboutSize ? status : 400 })
}

/**
 * RFC 6749 §5.2: the scheme the client used. Basic only if it was used, because browsers would otherwise show
 * a password prompt.
 */
function challengeOf(request: FastifyRequest, { code }: OAuthError): string {
  const basic = /^basic /i.test(request.headers.authorization ?? '')
  return basic ? `Basic realm="zoetrope", error="${code}"` : challenge(code)
}

/** RFC 6749 §5.1: responses with tokens must not be cached. */
export function sendUncached(
  request: FastifyRequest,
  reply: FastifyReply,
  body: object,
  root: 'result' | 'error' = 'result',
): FastifyReply {
  const format = formatOf(request)
  return reply
    .headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    .type(mediaTypes[format])
    .send(format === 'json' ? JSON.stringify(body) : writeXml(root, { ...body }, root, {}))
}
