import type { FastifyRequest } from 'fastify'
import type { Credential, Principal, Principals } from '../auth/principals.js'
import { invalid, unauthorized } from '../errors.js'
import { queryOf, type Tree } from './brackets.js'

const headers = {
  'x-api-key': 'api_key',
  'x-zype-key': 'api_key',
  'x-app-key': 'app_key',
  'x-zype-app-key': 'app_key',
} as const

const parameters = ['api_key', 'app_key', 'access_token'] as const
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

/** Exactly one credential: none is 401, more than one is 422. */
export function credentialOf(request: FastifyRequest, body: Tree | undefined): Credential {
  const [first, ...others] = credentialsIn(request, body)
  if (!first) throw unauthorized()
  if (others.length > 0)
    throw invalid('Send exactly one credential: one of api_key, app_key or access_token, in one place, once.')
  return first
}

export async function identify(principals: Principals, credential: Credential): Promise<Principal> {
  const principal = credential.value.length <= maxLength ? await principals.find(credential) : undefined
  if (!principal) throw unauthorized()
  return principal
}

/** Whatever part of the headers names a caller, as one text; a key of the answers kept in memory. */
export function headerFingerprint({ headers: given }: FastifyRequest): string {
  const named = given['x-api-key'] ?? given['x-app-key'] ?? given['x-zype-key'] ?? given['x-zype-app-key']
  return named === undefined && given.authorization === undefined
    ? ''
    : JSON.stringify([...Object.keys(headers).map((name) => given[name]), given.authorization])
}
