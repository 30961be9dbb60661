import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Credential } from '../auth/principals.js'
import { longestDays } from '../auth/publisher-sessions.js'
import { forbidden } from '../errors.js'
import { isId } from '../lib/object-id.js'
import { sameDigest } from '../lib/sealing.js'
import { queryOf } from './brackets.js'

const cookieName = 'zoetrope_session'

/** What a session's cookie looks like; nothing else is looked up. */
const form = /^[\w-]{43}$/

/** The value of a cookie. Undefined if there are two of the name: another site may have set one of them. */
export function cookieIn({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  if (cookie === undefined) return undefined
  const found = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined
}

/** The token in the dashboard's cookie. */
export function sessionToken(headers: IncomingHttpHeaders): string | undefined {
  const token = cookieIn(headers, cookieName) ?? ''
  return form.test(token) ? token : undefined
}

const daySeconds = 86_400

/** The header that sets the dashboard's cookie; an empty token removes it. */
export function sessionCookie(token: string, isSecure: boolean): string {
  const age = token === '' ? 0 : longestDays * daySeconds
  const parts = [`${cookieName}=${token}`, 'Path=/', `Max-Age=${age}`, 'HttpOnly', 'SameSite=Lax']
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ')
}

/** Which channel a request means, for someone who may have several. */
export type NamedChannel = (request: FastifyRequest) => unknown

export const channelInHeader: NamedChannel = ({ headers }) => headers['x-channel-id']

/** A browser sends no headers of ours for what it plays or follows by itself; there the address names the channel. */
export const channelInAddress: NamedChannel = (request) =>
  channelInHeader(request) ?? queryOf(request).channel_id

/** Proves that a request comes from the dashboard. It can only be computed from the cookie. */
export const csrfTokenOf = (token: string): string =>
  createHash('sha256').update(`csrf ${token}`).digest('base64url')

const reads = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

/** Whether the browser says that our own pages sent this, or a person who typed the address. */
export function isOwn(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && reads(request))
  return origin === undefined || isOwnOrigin(request)
}

/** Whether the page that sent a request has the host that it was sent to. */
export const isOwnOrigin = ({ headers: { origin }, host }: FastifyRequest): boolean =>
  origin !== undefined && URL.canParse(origin) && new URL(origin).host === host

/**
 * Whether a cookie of the dashboard or of the share pages could count in a request, or in the one that a browser asks about
 * beforehand.
 */
export function mayMeanCookie({ url, headers }: FastifyRequest): boolean {
  const asked = headers['access-control-request-headers'] ?? ''
  return (
    /^\/(dashboard|watch)\b/.test(url) ||
    headers['x-channel-id'] !== undefined ||
    /\bx-channel-id\b/i.test(asked) ||
    new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '').has('channel_id')
  )
}

/** Refuses what other sites make a browser send: the cookie comes along by itself. */
export function refuseForeign(request: FastifyRequest): void {
  if (!isOwn(request))
    throw forbidden('The session of the dashboard is of use on its own pages only.', 'foreign_origin')
}

export function checkCsrf(request: FastifyRequest, token: string): void {
  refuseForeign(request)
  if (reads(request)) return
  const given = Buffer.from(String(request.headers['x-csrf-token'] ?? ''))
  if (sameDigest(given, Buffer.from(csrfTokenOf(token)))) return
  throw forbidden(
    'Send the csrf_token of GET /dashboard/api/session in the header X-CSRF-Token with everything that is not read.',
    'csrf_token',
  )
}

/** The credential of the user who is signed in to the dashboard, if the request names a channel. */
export function sessionIn(request: FastifyRequest, namedChannel: NamedChannel): Credential[] {
  const token = sessionToken(request.headers)
  const siteId = token && namedChannel(request)
  if (!token || typeof siteId !== 'string' || !isId(siteId)) return []
  checkCsrf(request, token)
  return [{ parameter: 'publisher_session', value: token, siteId }]
}

/** All that the answer to a read with a session depends on. */
export const sessionFingerprint = (headers: IncomingHttpHeaders): readonly unknown[] => [
  sessionToken(headers),
  headers['x-channel-id'],
  headers.origin,
  headers['sec-fetch-site'],
  headers.host,
]
