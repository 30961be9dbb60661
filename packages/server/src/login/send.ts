import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { violation } from '../db/violation.js'
import { ApiError, isOverload } from '../errors.js'
import { PageError } from './page-error.js'
import type { Redirect, ShownPage } from './page-visit.js'
import { contentPolicy } from './pages/content-policy.js'
import { errorPage } from './pages/message-pages.js'

const always = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** Sends a page or a redirect. */
export function sendPage(reply: FastifyReply, answer: ShownPage | Redirect): FastifyReply {
  if ('location' in answer)
    return reply
      .status(303)
      .headers({ ...always, 'content-security-policy': contentPolicy(), location: answer.location })
      .send()
  const { html, brand, status = 200, headers = {}, formTargets = [] } = answer
  return reply
    .status(status)
    .headers({ ...always, 'content-security-policy': contentPolicy(brand, formTargets), ...headers })
    .type('text/html; charset=utf-8')
    .send(html)
}

/** Sends an error as a page for the viewer. */
export function sendPageError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = asPageError(error)
  if (known.status >= 500 && !isOverload(error))
    request.log.error({ err: error, request_id: request.id }, error.message)
  const { status, title, message: text, brand, link, headers } = known
  return sendPage(reply, { html: errorPage({ title, text, brand, link }), brand, status, headers })
}

function asPageError(error: FastifyError): PageError {
  if (error instanceof PageError) return error
  if (error instanceof ApiError) return translated(error)
  if (error.statusCode === 413)
    return new PageError(413, 'The form is too large', 'It is larger than any of our forms.')
  if (error.statusCode !== undefined && error.statusCode < 500) return unreadablePage()
  const broken = violation(error)
  if (broken === 'bad_value') return unreadablePage()
  return broken && ['unavailable', 'interrupted', 'too_slow', 'disk_full'].includes(broken)
    ? notNow({ 'Retry-After': '1' })
    : new PageError(500, 'Something went wrong', 'The fault is on our side. Please try again later.')
}

function translated({ status, message, headers }: ApiError): PageError {
  if (status === 429) return new PageError(429, 'Please wait a moment', message, { headers })
  if (status === 503) return notNow(headers)
  if (status === 408) return new PageError(408, 'This took too long', 'Please send the form again.')
  return status === 413 ? new PageError(413, 'The form is too large', message) : unreadablePage()
}

const unreadablePage = () =>
  new PageError(422, 'This request cannot be read', 'Go back, check what you typed and try again.')

const notNow = (headers: Readonly<Record<string, string>>) =>
  new PageError(503, 'Not possible for the moment', 'Please try again in a minute.', { headers })
