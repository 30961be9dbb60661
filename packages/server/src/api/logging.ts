import type { FastifyInstance } from 'fastify'
import type { TellAnswered } from '../edge/answered.js'

/** The URLs of signed media, uploads and invitations are credentials themselves. */
export const withoutCredential = (path: string) =>
  path.replace(
    /^\/(films\/[^/]+\/[^/]+|media|playback|downloads|uploads\/tus|uploads(?!\/tus\b)|dashboard(?:\/api|\/c\/[^/]+)?\/invitation)\/[^/]+/,
    '/$1/…',
  )

/** Gives every answer the id of its request. */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
}

/** Logs one line per request, without the query string, which may contain credentials. */
export const logAnswered: TellAnswered = ({ request, path, status, ms }) => {
  request.log.info(
    {
      request_id: request.id,
      method: request.method,
      path,
      status,
      ms: Math.round(ms * 10) / 10,
      caller: request.caller?.kind,
      site_id: request.caller?.siteId,
    },
    'request',
  )
}
