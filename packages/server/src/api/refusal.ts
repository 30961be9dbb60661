import type { Field } from '@zoetrope/contract'
import type { ErrorObject } from 'ajv'
import { type FieldErrors, invalid } from '../errors.js'
import { meant } from '../lib/nearest.js'

/** At most this many sentences; a list of a thousand bad items says nothing that ten do not. */
const mostErrors = 20

/** Adds a sentence for each broken rule under the name of its field; a field that has a reason already keeps that one. */
export function collect(
  found: readonly ErrorObject[],
  errors: Record<string, string[]>,
  fields: ReadonlyMap<string, Field>,
): void {
  for (const error of found.slice(0, mostErrors)) {
    const name = error.instancePath.split('/')[1] ?? String(error.params.missingProperty)
    const sentence = sentenceOf(error, fields.get(name))
    const known = errors[name]
    if (known === undefined) errors[name] = [sentence]
    else if (!known.includes(sentence)) known.push(sentence)
  }
}

const kinds: Readonly<Record<Field['kind'], string>> = {
  text: 'text',
  flag: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  money: 'an amount such as 4.99',
  choice: 'one of the values listed',
  timestamp: 'a time: ISO 8601 or seconds since 1970',
  id: 'an id of 24 hexadecimal digits',
  secret: 'text',
  password: 'text',
  file: 'a file as base64, or a part of a multipart body',
  list: 'a list',
  map: 'key/value pairs',
  objects: 'a list',
}

/** What is wrong in one object of a list says in which of its fields. */
function sentenceOf(error: ErrorObject, field: Field | undefined): string {
  const [, , item, inner, ...rest] = error.instancePath.split('/')
  if (field?.kind !== 'objects' || item === undefined) return explain(error, field)
  if (inner === undefined)
    return error.keyword === 'required'
      ? `${error.params.missingProperty} is required`
      : 'each item must be a group of fields'
  return `${inner} ${explain({ ...error, instancePath: ['', inner, ...rest].join('/') }, field.of[inner])}`
}

function explain({ keyword, params, instancePath, data }: ErrorObject, field: Field | undefined): string {
  const nested = instancePath.split('/').length > 2 && field?.kind === 'list'
  const kind = kinds[nested ? field.of.kind : (field?.kind ?? 'text')]
  const lead = nested ? 'each item must be' : 'must be'
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'minLength':
      return field?.kind === 'password'
        ? `must be at least ${params.limit} characters long`
        : 'must not be empty'
    case 'maxLength':
      if (field?.kind === 'file') return `must be at most ${field.maxBytes.toLocaleString('en')} bytes`
      return `${lead} at most ${params.limit} characters long`
    case 'enum':
      return oneOf(params.allowedValues, data)
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'maxProperties':
      return `must have at most ${params.limit} keys`
    case 'pattern':
      return brokenPattern(nested ? field.of : field) ?? `${lead} ${kind}`
    default:
      return `${lead} ${kind}`
  }
}

function oneOf(allowed: readonly unknown[], given: unknown): string {
  const names = allowed.filter((value) => value !== null).map(String)
  return `must be one of ${names.join(', ')}${typeof given === 'string' ? meant(given, names) : ''}`
}

function brokenPattern(field: Field | undefined): string | undefined {
  if (field?.kind !== 'text') return undefined
  return field.format ? formats[field.format] : field.required ? 'must not be empty' : undefined
}

const formats = {
  language: 'must be a language by its code or its English name',
  currency: 'must be the code of a currency',
  url: 'must be an address that begins with http:// or https://',
  slug: 'must be one word: no spaces, slashes, question or number signs',
  email: 'must be an e-mail address',
  color: 'must be a colour such as #336699',
  timecode: 'must be seconds such as 62.5, or a time such as 00:01:02.500',
  domain: 'must be hosts such as example.com, *.example.com or localhost:3000, without http://',
  redirect:
    'must be a whole address without a fragment, such as https://example.com/signed-in or myapp:/signed-in',
} as const

/** All that is wrong, in one answer. */
export function refusal(name: string, errors: FieldErrors) {
  const sentences = Object.entries(errors).flatMap(([field, whys]) => whys.map((why) => `${field} ${why}`))
  return invalid(`Could not save ${name}: ${sentences.slice(0, 5).join(', ')}.`, errors)
}
