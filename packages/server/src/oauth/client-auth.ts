import type { ClientCredentials } from '../auth/clients.js'
import { bucketFrom, takeOrRefuse } from '../auth/limits.js'
import { isStorableText } from '../lib/clean.js'
import { invalidRequest, OAuthError } from './oauth-error.js'
import type { TokenExchange, TokenStep } from './steps.js'

/**
 * Authenticates the app, by HTTP Basic or by parameters but not both (RFC 6749 §2.3). A public app needs no
 * secret.
 */
export const authenticateClient: TokenStep = async (exchange) => {
  const given = credentialsOf(exchange)
  const client = given && (await exchange.parts.principals.findClient(given))
  const trusted = client && (given.secret === undefined ? client.public_client : client.proven)
  if (trusted) return { client }
  await limitFailures(exchange)
  throw new OAuthError(
    'invalid_client',
    'The application cannot be authenticated. Send its client_id and client_secret, in the body or by HTTP Basic.',
  )
}

/** Requires the secret: an app that anyone can take apart must not inspect tokens. */
export const provenClient: TokenStep = ({ client }) => {
  if (!client?.proven)
    throw new OAuthError('invalid_client', 'Only an application that sends its client_secret may ask this.')
  return {}
}

function credentialsOf({ request, parameters }: TokenExchange): ClientCredentials | undefined {
  const header = request.headers.authorization
  const { client_id: id, client_secret: secret } = parameters
  if (!header || !/^basic /i.test(header)) return id === undefined ? undefined : { id, secret }
  const basic = readBasic(header)
  if (secret !== undefined || (id !== undefined && basic && id !== basic.id))
    throw invalidRequest('Authenticate the application in one way: by HTTP Basic or in the body.')
  return basic
}

/** RFC 6749 §2.3.1: name and password are form-encoded before they are joined. */
function readBasic(header: string): ClientCredentials | undefined {
  const text = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(decoded)
  return id && isStorableText(id) ? { id, secret: secret || undefined } : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const limitFailures = ({ parts, request }: TokenExchange) =>
  takeOrRefuse(parts, bucketFrom('client_secret', request.ip))
