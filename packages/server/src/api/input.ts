import { isDeepStrictEqual } from 'node:util'
import {
  actionSchema,
  type Field,
  inputSchema,
  type JsonSchema,
  limits,
  nullable,
  type Resource,
  writableFields,
} from '@zoetrope/contract'
import { Ajv, type ValidateFunction } from 'ajv'
import { isStorable } from '../lib/clean.js'
import { isObject } from '../lib/is-object.js'
import { isLanguage, languageCode, languageNames } from '../lib/language.js'
import { readMoment } from '../lib/moment.js'
import { meant } from '../lib/nearest.js'
import { readFlag, readNumber } from '../lib/read-scalar.js'
import type { Fields } from './body.js'
import type { Tree } from './brackets.js'
import { collect, refusal } from './refusal.js'

type Written = Fields['written']

const currencies = new Set(Intl.supportedValuesOf('currency'))

const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, validateSchema: false })
ajv.addFormat('password', true)
ajv.addFormat('date-time', (value: string) => readMoment(value) !== undefined)

/** What an operation takes: its fields, and the check of their rules. */
export interface Input {
  readonly name: string
  readonly wrapper: string | undefined
  readonly fields: readonly (readonly [string, Field])[]
  readonly check: () => ValidateFunction
  readonly rest: RestField | undefined
}

/** The field that takes what is not declared, and all declared names. */
interface RestField {
  readonly name: string
  readonly known: ReadonlySet<string>
}

/** Fields that only the admin key may write are ignored for everyone else, like fields that do not exist. */
export const withoutRestricted = (input: Input): Input => ({
  ...input,
  fields: input.fields.filter(([, { restricted }]) => !restricted),
})

/** Checks are compiled on first use: compiling all of them would take most of the time of a start. */
function input(
  { name, wrapper }: Resource,
  fields: readonly (readonly [string, Field])[],
  schema: () => JsonSchema,
): Input {
  let compiled: ValidateFunction | undefined
  const check = () => {
    compiled ??= ajv.compile(schema())
    return compiled
  }
  return { name, wrapper, fields, check, rest: restOf(fields) }
}

function restOf(fields: Input['fields']): RestField | undefined {
  const name = fields.find(([, field]) => field.kind === 'map' && field.rest)?.[0]
  if (name === undefined) return undefined
  return { name, known: new Set(fields.flatMap(([field, { beside = [] }]) => [field, ...beside])) }
}

export const operationInput = (resource: Resource, operation: 'create' | 'update'): Input =>
  input(resource, writableFields(resource), () => inputSchema(resource, operation))

export const actionInput = (resource: Resource, body: Readonly<Record<string, Field>>): Input =>
  input(resource, Object.entries(body), () => actionSchema(body))

/** Reads and checks the declared fields of a request. All other fields are ignored. */
export function readInput(
  { name, wrapper, fields, check, rest }: Input,
  { tree, written }: Fields,
  query: Tree = {},
): Tree {
  const { inside, beside } = unwrap(tree, name, wrapper)
  const places: readonly FieldSource[] = [
    { tree: withRest(rest, inside), written },
    { tree: beside, written },
    { tree: query, written: 'form', isQuery: true },
  ]
  const errors: Record<string, string[]> = {}
  const values: Tree = {}
  for (const [field, definition] of fields) {
    const given = valuesIn(places, field, definition)
    if (given === undefined) continue
    const [value] = given
    const isOne = given.every((other) => other === value || isDeepStrictEqual(other, value))
    const why = isOne ? unfit(definition, value) : 'is given twice, with different values'
    if (why) errors[field] = [why]
    values[field] = value
  }
  const holds = check()
  if (!holds(values)) collect(holds.errors ?? [], errors, new Map(fields))
  if (Object.keys(errors).length > 0) throw refusal(name, errors)
  return values
}

/** If a field takes the rest (`rest`), undeclared names become its keys. */
function withRest(rest: RestField | undefined, given: Tree): Tree {
  if (!rest) return given
  const others = Object.entries(given).filter(([key]) => !rest.known.has(key))
  const own = given[rest.name]
  if (others.length === 0 || (own !== undefined && !isObject(own))) return given
  return { ...given, [rest.name]: { ...Object.fromEntries(others), ...own } }
}

/** A part of a request that may contain fields. */
interface FieldSource {
  readonly tree: Tree
  readonly written: Written
  /** The query string of a request with a body: only the names in `beside` are read from it. */
  readonly isQuery?: true
}

/**
 * The values that a request has for a field, in each of its parts and under each of its names. A record has some sixty fields, of
 * which a request has a few: those that it does not have must cost next to nothing.
 */
function valuesIn(places: readonly FieldSource[], name: string, field: Field): unknown[] | undefined {
  let found: unknown[] | undefined
  for (const place of places) {
    if (!place.isQuery) found = withValue(found, place, name, field)
    if (!field.beside) continue
    for (const other of field.beside)
      if (place.isQuery || other !== name) found = withValue(found, place, other, field)
  }
  return found
}

function withValue(
  found: unknown[] | undefined,
  { tree, written }: FieldSource,
  name: string,
  field: Field,
): unknown[] | undefined {
  const sent = Object.hasOwn(tree, name) ? tree[name] : undefined
  if (saysNothing(field, sent, written)) return found
  const value = coerce(field, sent, written)
  return found ? [...found, value] : [value]
}

/** Whether the field is absent, or empty text in a form or XML although it always has a value: then it stays as it is. */
function saysNothing(field: Field, value: unknown, written: Written): boolean {
  if (value === undefined) return true
  return value === '' && written !== 'json' && !nullable(field) && !field.required && !isMany(field)
}

const isMany = ({ kind }: Field) => kind === 'list' || kind === 'map' || kind === 'objects'

/** Why a value could not be stored, regardless of its field's own rules. */
function unfit(field: Field, value: unknown): string | undefined {
  if (!isStorable(value, limits.depth.value))
    return `must not contain control or broken characters, endless numbers, or nest deeper than ${limits.depth.value}`
  if (field.kind === 'map' && JSON.stringify(value).length > limits.map_bytes.value)
    return `must be at most ${limits.map_bytes.value} bytes as JSON`
  return unknownCode(field, value)
}

/** Why a text is no code of a language or a currency. There are too many for the schema to list. */
function unknownCode(field: Field, value: unknown): string | undefined {
  if (field.kind === 'list' && Array.isArray(value)) {
    // The first is enough: finding a similar name takes time.
    const unknown = value.find((item) => unknownCode(field.of, item) !== undefined)
    return unknown === undefined ? undefined : unknownCode(field.of, unknown)
  }
  if (field.kind !== 'text' || typeof value !== 'string' || value === '') return undefined
  if (field.format === 'language' && languageCode(value) === undefined)
    return `must be a language by its code, such as en, de or pt-BR, or by its English name${meant(value, languageNames)}`
  if (field.format === 'currency' && !currencies.has(value))
    return 'must be the code of a currency, such as USD'
  return undefined
}

/** Fields are wrapped in the singular name of the resource, or bare. Clients differ in which fields they send beside the wrapper. */
export function unwrap(tree: Tree, name: string, other: string | undefined): { inside: Tree; beside: Tree } {
  const wrapper = other !== undefined && Object.hasOwn(tree, other) ? other : name
  const { [wrapper]: inside, ...beside } = tree
  return isObject(inside) ? { inside, beside } : { inside: tree, beside: {} }
}

/** Converts text to what the field holds. What cannot be converted stays as it is, and the check refuses it. */
function coerce(field: Field, value: unknown, written: Written): unknown {
  if (field.kind === 'timestamp') return readMoment(value)?.at.toISOString() ?? (value === '' ? null : value)
  if (field.kind === 'list') return listOf(field.of, value, written)
  if (field.kind === 'objects') return objectsOf(field.of, value, written)
  if (typeof value === 'number') return coerceNumber(field, value)
  const plain = typeof value === 'string' ? plainText(field, value) : value
  if (typeof plain !== 'string' || (written === 'json' && !isMeasure(field, plain))) return plain
  return coerceText(field, plain, written)
}

function coerceNumber(field: Field, value: number): unknown {
  if (isWrittenNumber(field)) return plainNumber(value)
  return field.kind === 'flag' ? (readFlag(String(value)) ?? value) : value
}

/** Fields that are kept as text and often sent as a number. */
const isWrittenNumber = ({ kind }: Field) => kind === 'money' || kind === 'text'

/** Clients that used to send forms send numbers and flags as text in JSON too. */
const isMeasure = ({ kind }: Field, text: string) =>
  text !== '' && /^(flag|integer|number|choice)$/.test(kind)

/** Keyboards of phones and TVs add spaces when they complete an e-mail address. Languages may be given by name. */
function plainText(field: Field, text: string): string {
  if (field.kind !== 'text') return text
  if (field.format === 'language') return languageCode(text) ?? text
  if (field.format === 'currency') return text.toUpperCase()
  return field.format === 'email' ? text.trim() : text
}

function coerceText(field: Field, text: string, written: Written): unknown {
  if (text === '' && field.kind !== 'text') return field.kind === 'map' ? {} : null
  switch (field.kind) {
    case 'text':
      return text === '' && written === 'form' && !field.required ? null : text
    case 'password':
    case 'file':
      return text
    case 'flag':
      return readFlag(text) ?? text
    case 'integer':
    case 'number':
      return readNumber(text) ?? text
    case 'choice':
      return field.options.find((option) => String(option) === text) ?? text
    default:
      return text
  }
}

function listOf(item: Field, value: unknown, written: Written): unknown {
  // Some clients send several ids as one text with commas, or a single id without a list.
  if (item.kind === 'id' && typeof value === 'string' && value !== '')
    return value.split(',').map((id) => id.trim())
  if (Array.isArray(value) && isLanguage(item)) return value.map((each) => coerce(item, each, written))
  if (written === 'json' && !isIndexed(value)) return value
  return itemsOf(value, written).map((each) => (written === 'json' ? each : coerce(item, each, written)))
}

/** Reads the declared fields of each item like those of a record. Null clears the list. */
function objectsOf(fields: Readonly<Record<string, Field>>, value: unknown, written: Written): unknown {
  if (value === null) return []
  if (written === 'json' && !Array.isArray(value) && !isIndexed(value)) return value
  const isItem = isObject(value) && Object.keys(value).some((name) => Object.hasOwn(fields, name))
  return (isItem ? [value] : itemsOf(value, written)).map((item) =>
    isObject(item) ? Object.fromEntries(namedIn(fields, item, written)) : item,
  )
}

function namedIn(fields: Readonly<Record<string, Field>>, item: Tree, written: Written) {
  const given = (name: string) =>
    Object.hasOwn(item, name) ? item[name] : name === 'id' ? item._id : undefined
  return Object.entries(fields)
    .filter(([name, field]) => !saysNothing(field, given(name), written))
    .map(([name, field]) => [name, coerce(field, given(name), written)] as const)
}

function itemsOf(given: unknown, written: Written): unknown[] {
  if (Array.isArray(given) && written === 'xml') return given
  const value = written === 'xml' ? insideOf(given) : given
  const items = isIndexed(value) ? Object.values(value) : Array.isArray(value) ? value : [value]
  return items.filter((each) => each !== '' && each !== null)
}

/** `<keywords><keyword>…` without a type is read as an object with one name; the value of that name is the list. */
function insideOf(value: unknown): unknown {
  const entries = typeof value === 'object' && value !== null ? Object.values(value) : []
  return entries.length === 1 ? entries[0] : value
}

/** {"0": …, "1": …}: a list that was sent as a form. */
export const isIndexed = (value: unknown): value is Tree =>
  isObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key))

const plainNumber = (value: number) =>
  Number.isFinite(value) && Math.abs(value) < 1e15 ? String(value) : value
