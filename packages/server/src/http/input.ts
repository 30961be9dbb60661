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
import { isLanguage, languageCode } from '../lib/language.js'
import { readMoment } from '../lib/moment.js'
import { readFlag, readNumber } from '../resources/filters.js'
import type { Fields } from './body.js'
import type { Tree } from './brackets.js'
import { collect, refusal } from './refusal.js'

type Written = Fields['written']

const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false })
ajv.addFormat('password', true)
ajv.addFormat('date-time', (value: string) => readMoment(value) !== undefined)

/** What an operation takes: its fields, and the check that they keep their rules. */
export interface Input {
  readonly name: string
  readonly wrapper: string | undefined
  readonly fields: readonly (readonly [string, Field])[]
  readonly check: () => ValidateFunction
}

/** Fields that only the admin key may write are passed over for everyone else, like fields that do not exist. */
export const withoutRestricted = (input: Input): Input => ({
  ...input,
  fields: input.fields.filter(([, { restricted }]) => !restricted),
})

/** Checks are compiled when they are first needed: all of them would be most of the time that a start takes. */
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
  return { name, wrapper, fields, check }
}

export const operationInput = (resource: Resource, operation: 'create' | 'update'): Input =>
  input(resource, writableFields(resource), () => inputSchema(resource, operation))

export const actionInput = (resource: Resource, body: Readonly<Record<string, Field>>): Input =>
  input(resource, Object.entries(body), () => actionSchema(body))

/** The declared fields of a request, each as its kind holds it; whatever else came is ignored. */
export function readInput(
  { name, wrapper, fields, check }: Input,
  { tree, written }: Fields,
  query: Tree = {},
): Tree {
  const { inside, beside } = unwrap(tree, name, wrapper)
  const places = [
    { tree: withRest(fields, inside), written },
    { tree: beside, written },
    { tree: query, written: 'form', isQuery: true },
  ] as const
  const errors: Record<string, string[]> = {}
  const values: Tree = {}
  for (const [field, definition] of fields) {
    const [value, ...others] = places.flatMap((place) => valuesIn(place, field, definition))
    if (value === undefined) continue
    const isOne = others.every((other) => isDeepStrictEqual(other, value))
    const why = isOne ? unfit(definition, value) : 'is given twice, with different values'
    if (why) errors[field] = [why]
    values[field] = value
  }
  const holds = check()
  if (!holds(values)) collect(holds.errors ?? [], errors, new Map(fields))
  if (Object.keys(errors).length > 0) throw refusal(name, errors)
  return values
}

/** Where a field takes the rest, names that no field has are its keys. */
function withRest(fields: Input['fields'], given: Tree): Tree {
  const name = fields.find(([, field]) => field.kind === 'map' && field.rest)?.[0]
  if (name === undefined) return given
  const known = new Set(fields.flatMap(([field, { beside = [] }]) => [field, ...beside]))
  const others = Object.entries(given).filter(([key]) => !known.has(key))
  const own = given[name]
  if (others.length === 0 || (own !== undefined && !isObject(own))) return given
  return { ...given, [name]: { ...Object.fromEntries(others), ...own } }
}

/** Somewhere in a request that fields may stand. */
interface Place {
  readonly tree: Tree
  readonly written: Written
  /** The query string of a request with a body: only the few fields that clients put there are looked for. */
  readonly isQuery?: true
}

/** What a place of the request says about a field, under each of its names. */
function valuesIn({ tree, written, isQuery }: Place, name: string, field: Field): unknown[] {
  const { beside = [] } = field
  return [...new Set(isQuery ? beside : [name, ...beside])]
    .map((each) => (Object.hasOwn(tree, each) ? tree[each] : undefined))
    .filter((sent) => !saysNothing(field, sent, written))
    .map((sent) => coerce(field, sent, written))
}

/** Absent, or left empty where text is all there is and the field always has a value: it keeps the one it has. */
function saysNothing(field: Field, value: unknown, written: Written): boolean {
  if (value === undefined) return true
  return value === '' && written !== 'json' && !nullable(field) && !field.required && !isMany(field)
}

const isMany = ({ kind }: Field) => kind === 'list' || kind === 'map' || kind === 'objects'

/** Why a value could not even be stored, whatever its field's own rules. */
function unfit(field: Field, value: unknown): string | undefined {
  if (!isStorable(value, limits.depth.value))
    return `must not contain control or broken characters, endless numbers, or nest deeper than ${limits.depth.value}`
  if (field.kind === 'map' && JSON.stringify(value).length > limits.map_bytes.value)
    return `must be at most ${limits.map_bytes.value} bytes as JSON`
  return undefined
}

/** Fields come wrapped in the singular name, or bare. Clients differ in which of them they put beside the wrapper. */
function unwrap(tree: Tree, name: string, other: string | undefined): { inside: Tree; beside: Tree } {
  const wrapper = other !== undefined && Object.hasOwn(tree, other) ? other : name
  const { [wrapper]: inside, ...beside } = tree
  return isObject(inside) ? { inside, beside } : { inside: tree, beside: {} }
}

/** Text becomes what the field holds where it can; what cannot stays as it is and is refused by the check. */
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

/** Kept as text, and often sent as a number. */
const isWrittenNumber = ({ kind }: Field) => kind === 'money' || kind === 'text'

/** Clients that come from forms send numbers, and true and false, as texts in JSON too. */
const isMeasure = ({ kind }: Field, text: string) =>
  text !== '' && /^(flag|integer|number|choice)$/.test(kind)

/** Keyboards of phones and TVs add spaces around addresses that they complete; a language may come by its name. */
function plainText(field: Field, text: string): string {
  if (isLanguage(field)) return languageCode(text) ?? text
  return field.kind === 'text' && field.format === 'email' ? text.trim() : text
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
  // Ids have no comma in them: some clients send several as one text, or a single one without a list.
  if (item.kind === 'id' && typeof value === 'string' && value !== '')
    return value.split(',').map((id) => id.trim())
  if (Array.isArray(value) && isLanguage(item)) return value.map((each) => coerce(item, each, written))
  if (written === 'json' && !isIndexed(value)) return value
  return itemsOf(value, written).map((each) => (written === 'json' ? each : coerce(item, each, written)))
}

/** Each item with its declared fields, read like those of a record; null clears the list. */
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

/** `<keywords><keyword>…` without a type reads as an object of one name; what stands under that name is the list. */
function insideOf(value: unknown): unknown {
  const entries = typeof value === 'object' && value !== null ? Object.values(value) : []
  return entries.length === 1 ? entries[0] : value
}

/** {"0": …, "1": …}: how a list looks that went through a form. */
const isIndexed = (value: unknown): value is Tree =>
  isObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key))

const plainNumber = (value: number) =>
  Number.isFinite(value) && Math.abs(value) < 1e15 ? String(value) : value
