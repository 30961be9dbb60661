import type { FastifyRequest } from 'fastify'
import type { Fields } from '../api/body.js'
import { queryOf, type Tree } from '../api/brackets.js'
import { isStorableText } from '../lib/clean.js'
import { invalidRequest } from './oauth-error.js'

const names = [
  ...(['client_id', 'client_secret', 'grant_type', 'scope'] as const),
  ...(['username', 'password', 'linked_device_id', 'pin', 'refresh_token'] as const),
  ...(['code', 'redirect_uri', 'code_verifier', 'device_code'] as const),
  ...(['access_token', 'token'] as const),
]
type Name = (typeof names)[number]

export type Parameters = Readonly<Partial<Record<Name, string>>>

const longest = 4096

/**
 * The parameters of a request, from form, JSON or query. Empty ones are absent, repeated ones are refused,
 * and unknown ones are ignored (RFC 6749 §3.2).
 */
export function readParameters(request: FastifyRequest): Parameters {
  const places: Tree[] = [queryOf(request), (request.body as Fields | undefined)?.tree ?? {}]
  const found: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const [value, ...others] = places.map((place) => place[name]).filter(isGiven)
    if (value === undefined) continue
    if (others.length > 0 || Array.isArray(value))
      throw invalidRequest(`The parameter ${name} is given twice.`)
    found[name] = parameterText(name, value)
  }
  return found
}

const isGiven = (value: unknown) => value !== '' && value !== null && value !== undefined

function parameterText(name: Name, value: unknown): string {
  if (typeof value === 'object') throw invalidRequest(`The parameter ${name} must be a text.`)
  const text = String(value)
  if (text.length > longest) throw invalidRequest(`The parameter ${name} is too long.`)
  if (!isStorableText(text))
    throw invalidRequest(`The parameter ${name} has characters that are not allowed in text.`)
  return text
}

export function required(parameters: Parameters, name: Name): string {
  const value = parameters[name]
  if (value === undefined) throw invalidRequest(`The parameter ${name} is required.`)
  return value
}
