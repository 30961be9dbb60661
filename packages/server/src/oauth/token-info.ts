import { bucketFrom, takeOrRefuse } from '../auth/limits.js'
import { findToken, type TokenFacts } from '../auth/token-facts.js'
import { invalidRequest, OAuthError } from './oauth-error.js'
import { required } from './parameters.js'
import { settled, type TokenExchange, type TokenStep } from './steps.js'

const epoch = (moment: Date) => Math.floor(moment.getTime() / 1000)

/** The specification, 4.2: the status of an access token, for its holder. */
export const tellStatus: TokenStep = async (exchange) => {
  const { parts } = exchange
  const facts = await findToken(parts.database.db, parts.sealer, tokenIn(exchange))
  if (facts?.kind !== 'access_token') {
    await limitGuesses(exchange)
    throw new OAuthError(
      'invalid_token',
      'The access token is not valid: it is unknown, has expired or was revoked.',
    )
  }
  const seconds = Math.floor(facts.seconds_left)
  return {
    answer: {
      resource_owner_id: facts.consumer_id,
      scope: facts.scope.split(' '),
      scopes: facts.scope.split(' '),
      expires_in: seconds,
      expires_in_seconds: seconds,
      application: { uid: facts.client_id },
      created_at: epoch(facts.issued_at),
    },
  }
}

/** As a parameter or as a bearer token, not both (RFC 6750 §2). */
function tokenIn({ request, parameters: { access_token } }: TokenExchange): string {
  const bearer = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer && access_token) throw invalidRequest('Send the access token once.')
  const token = bearer ?? access_token
  if (!token) throw new OAuthError('invalid_token', 'The parameter access_token is required.')
  return token
}

const limitGuesses = ({ parts, request }: TokenExchange) =>
  takeOrRefuse(parts, bucketFrom('unknown_token', request.ip))

/** RFC 7662: a publisher's own server inspects a token of its channel. */
export const introspect: TokenStep = async ({ parts, parameters, client }) => {
  const facts = await findToken(parts.database.db, parts.sealer, required(parameters, 'token'))
  const ours = facts?.site_id === settled(client).site_id ? facts : undefined
  return { answer: ours ? introspection(ours, parts.loginUrl) : { active: false } }
}

const introspection = (facts: TokenFacts, issuer: string) => ({
  active: true,
  scope: facts.scope,
  client_id: facts.client_id,
  username: facts.email,
  token_type: facts.kind === 'access_token' ? 'bearer' : 'refresh_token',
  exp: epoch(facts.expires_at),
  iat: epoch(facts.issued_at),
  sub: facts.consumer_id,
  iss: issuer,
})
