import { aboutCaller } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import type { Credential, Principal, Principals } from '../auth/principals.js'
import { forbidden, invalid, unauthorized, unavailable } from '../errors.js'
import type { Parts } from '../resources/feature.js'
import { queryOf, type Tree } from './brackets.js'
import { channelInHeader, type NamedChannel, sessionFingerprint, sessionIn } from './dashboard-session.js'
import { expectsContinue } from './expectation.js'
import { isLarge } from './take-body.js'
import { whileAlive } from './while-alive.js'

const headers = {
  'x-api-key': 'api_key',
  'x-zype-key': 'api_key',
  'x-app-key': 'app_key',
  'x-zype-app-key': 'app_key',
  'x-upload-token': 'upload_token',
} as const

const parameters = ['api_key', 'app_key', 'access_token', 'upload_token'] as const
const maxLength = 256

/** Every credential in a request, wherever it stands. */
function credentialsIn(request: FastifyRequest, body: Tree | undefined): Credential[] {
  const query = queryOf(request)
  const places = body && body !== query ? [query, body] : [query]
  const inParameters = places.flatMap((place) =>
    parameters.flatMap((parameter) => values(place, parameter).map((value) => ({ parameter, value }))),
  )
  return [...headerCredentials(request), ...inParameters]
}

const values = (place: Tree, name: string): string[] => {
  const given = Object.hasOwn(place, name) || name in place ? place[name] : undefined
  if (given === undefined || given === '' || given === null) return []
  // The fields of a new upload token come in a group of this name.
  if (name === 'upload_token' && typeof given === 'object' && !Array.isArray(given)) return []
  // A group or a list in place of a text is a credential that nobody has.
  return (Array.isArray(given) ? given : [given]).map((each) =>
    typeof each === 'object' ? '' : String(each),
  )
}

function headerCredentials(request: FastifyRequest): Credential[] {
  const found: Credential[] = []
  for (const [name, parameter] of Object.entries(headers)) {
    // A header that comes twice arrives as one text with a comma, which no key has.
    for (const value of String(request.headers[name] ?? '').split(','))
      if (value.trim() !== '') found.push({ parameter, value: value.trim() })
  }
  const bearer = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer) found.push({ parameter: 'access_token', value: bearer })
  return found
}

/**
 * Exactly one credential: none is 401, more than one is 422. Whoever is signed in to the dashboard has one in a cookie,
 * which counts when the request names a channel.
 */
export function credentialOf(
  request: FastifyRequest,
  body: Tree | undefined,
  namedChannel: NamedChannel = channelInHeader,
): Credential {
  const [first, ...others] = [...credentialsIn(request, body), ...sessionIn(request, namedChannel)]
  if (!first) throw unauthorized()
  if (others.length > 0) throw tooManyCredentials()
  return first
}

const tooManyCredentials = () =>
  invalid(
    `Send exactly one credential: one of ${parameters.slice(0, -1).join(', ')} or ${parameters.at(-1)}, in one place, once. Only where a consumer may call, an API key of the same channel may stand in a header beside an access token.`,
  )

/** The credential of a request and, where that is an access token, the API key that stood in a header beside it. */
export interface Presented {
  readonly credential: Credential
  readonly besideKey?: Credential
}

/** The same where consumers call: client libraries put their API key into a header of every request, also of those with a token. */
export function presentedBy(
  request: FastifyRequest,
  body: Tree | undefined,
  namedChannel: NamedChannel = channelInHeader,
): Presented {
  const all = [...credentialsIn(request, body), ...sessionIn(request, namedChannel)]
  const credential = all.find(({ parameter }) => parameter === 'access_token')
  const besideKey = headerCredentials(request).find(({ parameter }) => parameter === 'api_key')
  if (all.length === 2 && credential && besideKey) return { credential, besideKey }
  return { credential: credentialOf(request, body, namedChannel) }
}

/** Who calls. The token decides; the key must be of its channel, and consumers must be allowed to call at all. */
export async function identifyPresented(
  principals: Principals,
  { credential, besideKey }: Presented,
  isForConsumers: boolean,
): Promise<Principal> {
  if (besideKey && !isForConsumers) throw tooManyCredentials()
  const principal = await identify(principals, credential)
  if (!besideKey) return principal
  const key = besideKey.value.length <= maxLength ? await principals.find(besideKey) : undefined
  if (key?.siteId !== principal.siteId) throw tooManyCredentials()
  return principal
}

/** Whether a request names a caller at all, rightly or not. */
export const hasCredential = (request: FastifyRequest, namedChannel: NamedChannel): boolean =>
  credentialsIn(request, undefined).length > 0 ||
  values(queryOf(request), 'player_key').length > 0 ||
  sessionIn(request, namedChannel).length > 0

/** Who calls. An upload token is for uploads only, and is refused wherever else it comes. */
export async function identify(principals: Principals, credential: Credential): Promise<Principal> {
  const principal = await identifyUploader(principals, credential)
  if (principal.kind !== 'upload') return principal
  throw forbidden(`This credential may not do this. ${aboutCaller('upload')}`)
}

/** The same for uploads. */
export async function identifyUploader(principals: Principals, credential: Credential): Promise<Principal> {
  const principal = credential.value.length <= maxLength ? await principals.find(credential) : undefined
  if (!principal) throw unauthorized(credential.parameter === 'access_token' ? 'invalid_token' : undefined)
  return principal
}

/**
 * Looks up the caller that the headers or the address name, before the body is received: a large one, or one that the client
 * offers to hold back. A credential in the body, and two at once, are looked at later.
 */
export async function identifyEarly(
  { principals, database }: Parts,
  request: FastifyRequest,
  find: typeof identify = identify,
): Promise<void> {
  if (!isLarge(request) && !expectsContinue(request)) return
  const [credential, ...others] = [
    ...credentialsIn(request, undefined),
    ...sessionIn(request, channelInHeader),
  ]
  if (!credential || others.length > 0) return
  request.caller = await whileAlive(database, find(principals, credential), () => unavailable(undefined))
}

/** Whatever part of the headers names a caller, as one text; a key of the answers kept in memory. */
export function headerFingerprint({ headers: given }: FastifyRequest): string {
  const named = given['x-api-key'] ?? given['x-app-key'] ?? given['x-zype-key'] ?? given['x-zype-app-key']
  const isNamed = (named ?? given.authorization ?? given['x-upload-token'] ?? given.cookie) !== undefined
  if (!isNamed) return ''
  return JSON.stringify([
    ...Object.keys(headers).map((name) => given[name]),
    given.authorization,
    sessionFingerprint(given),
  ])
}
