import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isOwnOrigin, mayMeanCookie } from './dashboard-session.js'

const exposed = [
  'X-Request-Id, X-Notice, Retry-After, ETag, Allow, WWW-Authenticate, Idempotent-Replayed, Dry-Run, Event-Id',
  'Zoetrope-Version, RateLimit, RateLimit-Policy',
  'Location, Upload-Offset, Upload-Length, Upload-Expires, Upload-Metadata, X-Video-Id',
  'Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm',
].join(', ')

/**
 * Pages of any origin may call, and read errors too. Apps on TVs and phones send credentials with every request, and a
 * browser then withholds an answer that does not allow them. So they are allowed, except where a cookie of ours could
 * count: there only our own origin is.
 */
export function addCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    const isForAll = isForCaches(request)
    if (isForAll) reply.headers(forAnyOrigin)
    else reply.header('vary', 'Origin, Accept, Content-Type')
    if (origin === undefined) return done()
    if (!isForAll)
      reply.headers({
        'access-control-allow-origin': origin,
        ...(allowsCredentials(request) ? { 'access-control-allow-credentials': 'true' } : {}),
        'access-control-expose-headers': exposed,
      })
    if (request.method !== 'OPTIONS') return done()
    reply
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
        'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
        'access-control-max-age': '86400',
      })
      .status(204)
      .send()
  })
  app.options('*', (_request, reply) => reply.status(204).send())
}

/**
 * What caches keep for all viewers is the same for every origin, and says so: an answer that names the origin of the first
 * viewer would be refused by the browsers of all others. It needs no credentials.
 */
const forAnyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-Id, Retry-After, ETag, Content-Length, Content-Range, Accept-Ranges',
} as const

const isForCaches = ({ url }: FastifyRequest) => /^\/(films|pictures|images)\//.test(url)

const allowsCredentials = (request: FastifyRequest) => !mayMeanCookie(request) || isOwnOrigin(request)
