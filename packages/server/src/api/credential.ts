import { aboutCaller, publishes } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { isKey, keyParameter } from '../auth/keys.js'
import type { Credential, Principal, Principals } from '../auth/principals.js'
import { isLarge } from '../edge/body-pieces.js'
import { expectsContinue } from '../edge/expectation.js'
import { forbidden, invalid, unauthorized, unavailable } from '../errors.js'
import { whileAlive } from '../lib/while-alive.js'
import type { Parts } from '../resources/feature.js'
import { queryOf, type Tree } from './brackets.js'
import { channelInHeader, type NamedChannel, sessionFingerprint, sessionIn } from './dashboard-session.js'

const headers = {
  'x-api-key': 'api_key',
  'x-zype-key': 'api_key',
  'x-app-key': 'app_key',
  'x-zype-app-key': 'app_key',
  'x-upload-token': 'upload_token',
} as const

const parameters = ['api_key', 'app_key', 'access_token', 'upload_token'] as const
const maxLength = 256

/** Every credential in the headers, the query string and the body of a request. */
function credentialsIn(request: FastifyRequest, body: Tree | undefined): Credential[] {
  const found = headerCredentials(request)
  const query = queryOf(request)
  for (const place of body && body !== query ? [query, body] : [query])
    for (const parameter of parameters)
      for (const value of values(place, parameter)) found.push({ parameter, value, address: request.ip })
  return found
}

const none: readonly string[] = []

const values = (place: Tree, name: string): readonly string[] => {
  const given = Object.hasOwn(place, name) || name in place ? place[name] : undefined
  if (given === undefined || given === '' || given === null) return none
  // The fields of a new upload token come in a group of this name.
  if (name === 'upload_token' && typeof given === 'object' && !Array.isArray(given)) return none
  // A group or a list instead of text is an unknown credential.
  return (Array.isArray(given) ? given : [given]).map((each) =>
    typeof each === 'object' ? '' : String(each),
  )
}

const namedHeaders = Object.entries(headers)
const headerNames = Object.keys(headers)

function headerCredentials(request: FastifyRequest): Credential[] {
  const found: Credential[] = []
  for (const [name, parameter] of namedHeaders) {
    const sent = request.headers[name]
    if (sent === undefined) continue
    // Node joins repeated headers with commas, which no key contains.
    for (const value of String(sent).split(','))
      if (value.trim() !== '') found.push({ parameter, value: value.trim(), address: request.ip })
  }
  const { authorization } = request.headers
  const credential = authorization === undefined ? undefined : authorizedBy(authorization, request)
  if (credential) found.push(credential)
  return found
}

/**
 * A bearer is a key or an access token, which their forms tell apart. The user name of Basic may be a key; any other one
 * is for a proxy in front of us.
 */
function authorizedBy(authorization: string, request: FastifyRequest): Credential | undefined {
  const [, scheme = '', sent = ''] = /^(bearer|basic) +(\S+) *$/i.exec(authorization) ?? []
  const isBasic = /^basic$/i.test(scheme)
  const value = isBasic ? (Buffer.from(sent, 'base64').toString().split(':', 1)[0] ?? '') : sent
  if (isKey(value)) return { parameter: keyParameter(value), value, address: request.ip }
  return isBasic || value === '' ? undefined : { parameter: 'access_token', value }
}

/**
 * Returns the only credential of a request; none is a 401, more than one is a 422. The cookie of the dashboard counts as one
 * if the request names a channel.
 */
export const credentialOf = (
  request: FastifyRequest,
  body: Tree | undefined,
  namedChannel: NamedChannel = channelInHeader,
): Credential => onlyOne([...credentialsIn(request, body), ...sessionIn(request, namedChannel)])

function onlyOne([first, ...others]: readonly Credential[]): Credential {
  if (!first) throw unauthorized()
  if (others.length > 0) throw tooManyCredentials()
  return first
}

const tooManyCredentials = () =>
  invalid(
    `Send exactly one credential: one of ${parameters.slice(0, -1).join(', ')} or ${parameters.at(-1)}, in one place, once. Only where a consumer may call, an API key of the same channel may stand in a header beside an access token.`,
  )

/** The credential of a request and, if that is an access token, the API key that was sent in a header beside it. */
export interface Presented {
  readonly credential: Credential
  readonly besideKey?: Credential
}

/** Like `credentialOf`, but allows an API key beside an access token: client libraries send their key with every request. */
export function presentedBy(
  request: FastifyRequest,
  body: Tree | undefined,
  namedChannel: NamedChannel = channelInHeader,
): Presented {
  const all = credentialsIn(request, body)
  for (const session of sessionIn(request, namedChannel)) all.push(session)
  if (all.length !== 2) return { credential: onlyOne(all) }
  const credential = all.find(({ parameter }) => parameter === 'access_token')
  const besideKey = headerCredentials(request).find(({ parameter }) => parameter === 'api_key')
  return credential && besideKey ? { credential, besideKey } : { credential: onlyOne(all) }
}

/** The caller, if a moment ago it was the same one. Upload tokens, and a key beside a token, have more rules. */
export function knownCaller(
  principals: Principals,
  { credential, besideKey }: Presented,
  request: FastifyRequest,
): Principal | undefined {
  const known = besideKey ? undefined : principals.known(credential, request)
  return known?.kind === 'upload' ? undefined : known
}

/** Finds the caller. If there is a token, it decides; a key beside it must be of the same channel, and consumers must be allowed to call. */
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

/** Whether a request has any credential, valid or not. */
export const hasCredential = (request: FastifyRequest, namedChannel: NamedChannel): boolean =>
  credentialsIn(request, undefined).length > 0 ||
  values(queryOf(request), 'player_key').length > 0 ||
  sessionIn(request, namedChannel).length > 0

/** Finds the caller. Upload tokens are refused, because they are for uploads only. */
export async function identify(principals: Principals, credential: Credential): Promise<Principal> {
  const principal = await identifyUploader(principals, credential)
  if (principal.kind !== 'upload') return principal
  throw forbidden(`This credential may not do this. ${aboutCaller('upload')}`)
}

/** Finds the caller of an upload, who may have an upload token. */
export async function identifyUploader(principals: Principals, credential: Credential): Promise<Principal> {
  const principal = credential.value.length <= maxLength ? await principals.find(credential) : undefined
  if (!principal) throw unauthorized(credential.parameter === 'access_token' ? 'invalid_token' : undefined)
  return principal
}

/**
 * Looks up the caller by the headers or the URL before the body is received, if the body is large or the client waits with
 * it (`Expect`). A credential in the body, or a second one, is checked later.
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

/** Whether a publisher is known to have sent a request. Keys of other kinds are in apps and on pages, where anybody can read them. */
export const isPublisher = ({ caller }: FastifyRequest): boolean =>
  caller !== undefined && (publishes(caller.kind) || caller.kind === 'upload')

/** The headers that identify the caller, as one text: part of the key of kept answers. */
export function headerFingerprint({ headers: given }: FastifyRequest): string {
  const named = given['x-api-key'] ?? given['x-app-key'] ?? given['x-zype-key'] ?? given['x-zype-app-key']
  const isNamed = (named ?? given.authorization ?? given['x-upload-token'] ?? given.cookie) !== undefined
  if (!isNamed) return ''
  // No header contains a line break, and none is only a tab, which stands for one that is missing.
  let text = given.authorization ?? '\t'
  for (const name of headerNames) text += `\n${given[name] ?? '\t'}`
  if (given.cookie === undefined) return text
  for (const part of sessionFingerprint(given)) text += `\n${part ?? '\t'}`
  return text
}
