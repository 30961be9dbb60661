import { plainEmail } from '../auth/sign-in.js'
import { invalidParameter } from '../errors.js'
import { isStorableText } from '../lib/clean.js'
import type { Body } from '../resources/feature.js'

/** A required text. */
export function textIn(body: Body, name: string, maxLength = 200): string {
  const text = optionalText(body, name, maxLength)
  if (text === undefined) throw invalidParameter(name, 'must be given')
  return text
}

/** A name for people: trimmed and not blank. */
export function nameIn(body: Body, name: string, maxLength?: number): string {
  const text = textIn(body, name, maxLength).trim()
  if (text === '') throw invalidParameter(name, 'must be given')
  return text
}

/** A normalised e-mail address. */
export function emailIn(body: Body): string {
  const email = plainEmail(textIn(body, 'email'))
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email
  throw invalidParameter('email', 'is not an e-mail address')
}

/** An optional text; an empty one counts as absent. */
export function optionalText(body: Body, name: string, maxLength = 200): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || !isStorableText(value)) throw invalidParameter(name, 'must be a text')
  if (value.length > maxLength) throw invalidParameter(name, `has at most ${maxLength} characters`)
  return value
}
