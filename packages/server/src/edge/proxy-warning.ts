import type { FastifyInstance } from 'fastify'

/** Behind a proxy that is not trusted all viewers seem to come from one address, and share one limit. That is said once. */
export function warnOfProxies(app: FastifyInstance): void {
  let said = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!said && request.headers['x-forwarded-for'] !== undefined) {
      said = true
      request.log.warn(
        { proxy: request.ip },
        'A request came through a proxy that is not trusted, so limits by address hold for all its viewers together. If it is yours, name it in TRUSTED_PROXIES.',
      )
    }
    done()
  })
}
