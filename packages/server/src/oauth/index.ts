import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { scopes } from '../auth/scopes.js'
import { endSessionOf } from '../auth/sessions.js'
import { unavailable } from '../errors.js'
import { whileAlive } from '../lib/while-alive.js'
import type { Parts } from '../resources/feature.js'
import { authenticateClient, provenClient } from './client-auth.js'
import { authorizeDevice } from './device-authorization.js'
import { grants } from './grants/index.js'
import { OAuthError, sendOAuthError, sendUncached } from './oauth-error.js'
import { readParameters, required } from './parameters.js'
import { settled, type TokenStep, take } from './steps.js'
import { checkScope, chooseGrant, runGrant } from './token.js'
import { introspect, tellStatus } from './token-info.js'

/** RFC 7009: revokes the token with its whole session. Tokens of other apps are ignored without an error. */
const revoke: TokenStep = async ({ parts, parameters, client }) => {
  const { site_id, app_id } = settled(client)
  const token = required(parameters, 'token')
  const ended = await endSessionOf(parts.database.db, parts.sealer, { site_id, app_id, token })
  if (ended) parts.principals.forget(({ sessionId }) => sessionId === ended)
  return { answer: {} }
}

const clientMethods = ['client_secret_basic', 'client_secret_post', 'none']

/** RFC 8414: the metadata that standard clients need. */
const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  token_endpoint_auth_methods_supported: clientMethods,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: clientMethods,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  introspection_endpoint_auth_methods_supported: clientMethods.slice(0, 2),
  device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
  scopes_supported: Object.keys(scopes),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grants.map(({ name }) => name),
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/docs`,
})

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
