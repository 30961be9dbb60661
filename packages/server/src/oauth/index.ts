import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../errors.js'
import { whileAlive } from '../http/while-alive.js'
import type { Parts } from '../resources/feature.js'
import { authenticateClient, provenClient } from './client-auth.js'
import { authorizeDevice } from './device-authorization.js'
import { metadata } from './metadata.js'
import { OAuthError, sendOAuthError, sendUncached } from './oauth-error.js'
import { readParameters } from './parameters.js'
import { revoke } from './revoke.js'
import { type TokenStep, take } from './steps.js'
import { checkScope, chooseGrant, runGrant } from './token.js'
import { introspect, tellStatus } from './token-info.js'

/** The token endpoints with their steps in order. */
const endpoints: Readonly<
  Record<string, { readonly method: 'GET' | 'POST'; readonly steps: readonly TokenStep[] }>
> = {
  '/oauth/token': { method: 'POST', steps: [authenticateClient, chooseGrant, checkScope, runGrant] },
  '/oauth/token/info': { method: 'GET', steps: [tellStatus] },
  '/oauth/revoke': { method: 'POST', steps: [authenticateClient, revoke] },
  '/oauth/introspect': { method: 'POST', steps: [authenticateClient, provenClient, introspect] },
  '/oauth/device_authorization': { method: 'POST', steps: [authenticateClient, checkScope, authorizeDevice] },
}

/** The OAuth endpoints. */
export function addOAuth(app: FastifyInstance, parts: Parts): void {
  app.setErrorHandler(sendOAuthError)
  for (const [url, { method, steps }] of Object.entries(endpoints))
    app.route({
      method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
      url,
      async handler(request: FastifyRequest, reply: FastifyReply) {
        const verb = request.method === 'HEAD' ? 'GET' : request.method
        if (verb !== method)
          throw new OAuthError('method_not_allowed', `Use ${method}.`, { headers: { allow: method } })
        const exchange = { parts, request, parameters: readParameters(request) }
        const answer = await whileAlive(parts.database, take(steps, exchange), () => unavailable(undefined))
        return sendUncached(request, reply, answer)
      },
    })
  const described = metadata(parts.loginUrl)
  app.get('/.well-known/oauth-authorization-server', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').send(described),
  )
}
