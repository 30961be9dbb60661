import type { FastifyRequest } from 'fastify'
import type { Fields } from '../http/body.js'
import { queryOf } from '../http/brackets.js'
import { isStorableText } from '../lib/clean.js'
import { invalidRequest } from './oauth-error.js'

export type Parameters = Readonly<Record<string, string>>

const longest = 4096

/** The parameters of a request, wherever they stand: form, JSON or query. Empty ones are absent; one given twice is refused (RFC 6749 §3.2). */
export function readParameters(request: FastifyRequest): Parameters {
  const query = queryOf(request)
  const body = (request.body as Fields | undefined)?.tree ?? {}
  const found: Record<string, string> = Object.create(null)
  for (const [name, value] of [...Object.entries(query), ...Object.entries(body)].filter(isGiven)) {
    if (name in found || Array.isArray(value))
      throw invalidRequest(`The parameter ${plain(name)} is given twice.`)
    found[name] = textOf(name, value)
  }
  return found
}

const isGiven = ([, value]: readonly [string, unknown]) =>
  value !== '' && value !== null && value !== undefined

/** Whatever the caller wrote, fit to be repeated. */
const plain = (name: string) => name.replace(/[^\w.-]/g, '?').slice(0, 50)

function textOf(name: string, value: unknown): string {
  if (typeof value === 'object') throw invalidRequest(`The parameter ${plain(name)} must be a text.`)
  const text = String(value)
  if (text.length > longest) throw invalidRequest(`The parameter ${plain(name)} is too long.`)
  if (!isStorableText(text))
    throw invalidRequest(`The parameter ${plain(name)} has characters that no text has.`)
  return text
}

export function required(parameters: Parameters, name: string): string {
  const value = parameters[name]
  if (value === undefined) throw invalidRequest(`The parameter ${name} is required.`)
  return value
}
