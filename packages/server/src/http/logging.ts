import type { FastifyInstance } from 'fastify'
import type { Principal } from '../auth/principals.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who called, once that is known. */
    caller: Principal | undefined
  }
}

/** Signed addresses, addresses of uploads and invitations are credentials by themselves. */
export const withoutCredential = (path: string) =>
  path.replace(
    /^\/(media|playback|downloads|uploads\/tus|uploads(?!\/tus\b)|dashboard(?:\/api)?\/invitation)\/[^/]+/,
    '/$1/…',
  )

/** One line per request. These hooks call back instead of awaiting: a promise more for each request can be measured. The query string is left out: credentials may stand in it. */
export function addLogging(app: FastifyInstance): void {
  app.decorateRequest('caller', undefined)
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
