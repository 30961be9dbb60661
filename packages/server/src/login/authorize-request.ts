import { type Client, findClient } from '../auth/clients.js'
import { readScope } from '../auth/scopes.js'
import { PageError } from './page-error.js'
import type { FormFields, PageVisit, Redirect } from './page-visit.js'

/** An app's authorization request. */
export interface AuthorizeRequest {
  readonly client_id: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly scope: string
  readonly state?: string
}

const deadLink = 'This link does not work'

/** The app and its redirect address. Nobody is redirected until both are verified. */
export async function readClient({
  parts,
  given,
}: PageVisit): Promise<{ client: Client; redirect_uri: string }> {
  const { client_id, redirect_uri: requested } = given.texts
  if (given.broken.has('client_id') || given.broken.has('redirect_uri') || client_id === undefined)
    throw new PageError(422, deadLink, 'It does not say which app you come from. Go back to the app.')
  const { database, sealer } = parts
  const client = await findClient(database.db, sealer, { id: client_id, secret: undefined })
  if (!client)
    throw new PageError(422, deadLink, 'The app that you come from is not known here. Go back to the app.')
  const redirect_uri = requested ?? (client.redirect_uris.length === 1 ? client.redirect_uris[0] : undefined)
  if (redirect_uri === undefined || !mayReturnTo(client, redirect_uri))
    throw new PageError(
      422,
      deadLink,
      'The address to go back to (redirect_uri) is not one that the app has registered. Go back to the app.',
    )
  return { client, redirect_uri }
}

/**
 * An exact match of a registered address; on the viewer's own machine any port is allowed (RFC 8252 §7.3).
 */
export function mayReturnTo({ redirect_uris }: Pick<Client, 'redirect_uris'>, address: string): boolean {
  if (!isPlace(address)) return false
  if (redirect_uris.includes(address)) return true
  const local = withoutPort(address)
  return local !== undefined && redirect_uris.some((known) => withoutPort(known) === local)
}

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/
const withoutPort = (address: string) =>
  loopback.test(address) ? address.replace(loopback, 'http://$1') : undefined

/** An address a browser navigates to, not one it executes or displays. */
const isPlace = (address: string) =>
  URL.canParse(address) &&
  !/^(javascript|vbscript|data|blob|file|filesystem|about|view-source):$/.test(new URL(address).protocol)

/** Reads the request of a verified app. From here on, errors go to the app. */
export function readRequest(
  { given, parts }: PageVisit,
  client: Client,
  redirect_uri: string,
): AuthorizeRequest | Redirect {
  const { client_id } = client
  const { code_challenge = '', state, scope: words } = given.texts
  const scope = readScope(words)
  const [error, description] = faultOf(given, scope) ?? []
  if (error)
    return sendBack(parts.loginUrl, { redirect_uri, state }, { error, error_description: description })
  return { client_id, redirect_uri, code_challenge, scope: scope ?? '', state }
}

const names = [
  'response_type',
  'response_mode',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'prompt',
]

/** RFC 6749 §4.1.2.1, RFC 7636 §4.4.1. */
function faultOf({ texts, broken }: FormFields, scope: string | undefined): [string, string] | undefined {
  const bad = names.find((name) => broken.has(name))
  if (bad) return ['invalid_request', `The parameter ${bad} is given twice or cannot be read.`]
  if (texts.response_type === undefined)
    return ['invalid_request', 'The parameter response_type is required.']
  if (texts.response_type !== 'code') return ['unsupported_response_type', 'The response_type must be code.']
  if ((texts.response_mode ?? 'query') !== 'query')
    return ['invalid_request', 'The response_mode must be query, or absent.']
  return (
    challengeFault(texts) ??
    (scope === undefined
      ? ['invalid_scope', 'The scope must be consumer or public, or absent.']
      : undefined) ??
    (/(^| )none( |$)/.test(texts.prompt ?? '') ? ['login_required', 'The viewer has to sign in.'] : undefined)
  )
}

function challengeFault({
  code_challenge,
  code_challenge_method,
}: FormFields['texts']): [string, string] | undefined {
  if (code_challenge === undefined)
    return ['invalid_request', 'The parameter code_challenge is required (RFC 7636).']
  if (code_challenge_method !== 'S256') return ['invalid_request', 'The code_challenge_method must be S256.']
  // A SHA-256 in base64url without padding has 43 characters; no verifier could match anything else.
  return /^[\w-]{43}$/.test(code_challenge)
    ? undefined
    : ['invalid_request', 'The code_challenge must be the base64url of a SHA-256, 43 characters.']
}

/** Redirects to the app, with the issuer of the response (RFC 9207). */
export function sendBack(
  iss: string,
  { redirect_uri, state }: Pick<AuthorizeRequest, 'redirect_uri' | 'state'>,
  answer: Readonly<Record<string, string | undefined>>,
): Redirect {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...answer, state, iss }))
    if (value !== undefined) parameters.set(name, value)
  const { href, search } = new URL(redirect_uri)
  const glue = search ? '&' : href.endsWith('?') ? '' : '?'
  return { location: `${href}${glue}${parameters}` }
}
