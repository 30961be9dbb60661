import type { FastifyInstance } from 'fastify'

/** The URLs of signed media, uploads and invitations are credentials themselves. */
export const withoutCredential = (path: string) =>
  path.replace(
    /^\/(films\/[^/]+\/[^/]+|media|playback|downloads|uploads\/tus|uploads(?!\/tus\b)|dashboard(?:\/api|\/c\/[^/]+)?\/invitation)\/[^/]+/,
    '/$1/…',
  )

/**
 * Logs one line per request, without the query string, which may contain credentials. The hooks use callbacks because another
 * promise per request would be measurable.
 */
export function addLogging(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        request_id: request.id,
        method: request.method,
        path: withoutCredential(request.url.split('?', 1)[0] ?? ''),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        caller: request.caller?.kind,
        site_id: request.caller?.siteId,
      },
      'request',
    )
    done()
  })
}
