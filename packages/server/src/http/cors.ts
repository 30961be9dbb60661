import type { FastifyInstance } from 'fastify'

const exposed = [
  'X-Request-Id, Retry-After, ETag, Allow, WWW-Authenticate',
  'Location, Upload-Offset, Upload-Length, Upload-Expires, Upload-Metadata, X-Video-Id',
  'Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm',
].join(', ')

/** Apps on any page may call: the Origin is echoed, credentials are allowed (TV apps send them), on errors too. The one cookie we read is refused from other origins. */
export function addCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    reply.header('vary', 'Origin, Accept, Content-Type')
    if (origin === undefined) return done()
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
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
