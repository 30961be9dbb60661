import { invalid } from '../../errors.js'
import { readMoment } from '../../lib/moment.js'
import { readFlag, readNumber } from '../../lib/read-scalar.js'
import type { Answer } from '../../resources/feature.js'
import { project } from '../../resources/projection.js'
import type { Values } from '../../resources/store.js'
import type { Attribute } from '../zobject-types/attributes.js'

/** Parses the values sent for the attributes of a type. Ignores other fields. */
export function readCustom(attributes: readonly Attribute[], given: Values): Values {
  const errors: Record<string, string[]> = {}
  const values: Record<string, unknown> = {}
  for (const { field_name, field_type } of attributes) {
    if (!Object.hasOwn(given, field_name)) continue
    const value = given[field_name]
    const read = value === null || value === '' ? null : readers[field_type]?.(value)
    if (read === undefined) errors[field_name] = [`must be ${kinds[field_type] ?? 'text'}`]
    else values[field_name] = read
  }
  const [first] = Object.entries(errors)
  if (first) throw invalid(`Could not save zobject: ${first[0]} ${first[1][0]}.`, errors)
  return values
}

type Reader = (value: unknown) => unknown

const asText: Reader = (value) => (typeof value === 'object' ? undefined : String(value))
const asNumber: Reader = (value) => (typeof value === 'object' ? undefined : readNumber(String(value)))
const readers: Readonly<Record<string, Reader>> = {
  string: asText,
  text: asText,
  url: (value) => (/^https?:\/\/\S+$/.test(String(value)) ? String(value) : undefined),
  integer: (value) => (Number.isSafeInteger(asNumber(value)) ? asNumber(value) : undefined),
  float: asNumber,
  number: asNumber,
  boolean: (value) => readFlag(String(value)),
  date: (value) => readMoment(value)?.at.toISOString().slice(0, 10),
  datetime: (value) => readMoment(value)?.at.toISOString(),
  array: (value) => listOf(value),
}

/** Parses a list of plain values, also in the shape that forms and XML produce. */
function listOf(value: unknown): unknown[] | undefined {
  const items = typeof value === 'object' && value !== null ? Object.values(value) : [value]
  return items.some((item) => typeof item === 'object' && item !== null) ? undefined : items
}

const kinds: Readonly<Record<string, string>> = {
  url: 'an address that begins with http:// or https://',
  integer: 'a whole number',
  float: 'a number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date: ISO 8601 or seconds since 1970',
  datetime: 'a time: ISO 8601 or seconds since 1970',
  array: 'a list of plain values',
}

/** Returns null for every attribute, so that new zobjects have all of them. */
export const blankCustom = (attributes: readonly Attribute[]): Values =>
  Object.fromEntries(attributes.map(({ field_name }) => [field_name, null]))

export interface Zobject extends Values {
  readonly _id: string
  readonly custom: Values
}

/** Merges the custom attributes into the record, and applies response_fields. */
export const wholeZobject = (zobject: Zobject, { response_fields }: Values): object =>
  JSON.parse(project({ response_fields }, JSON.stringify({ ...zobject.custom, ...zobject }))) as object

/** The same for all zobjects of an answer. */
export function spread({ json }: Answer, query: Values): Answer {
  const { response, ...rest } = JSON.parse(json.toString()) as { response: Zobject | Zobject[] }
  const whole = (zobject: Zobject) => wholeZobject(zobject, query)
  const spreadOut = Array.isArray(response) ? response.map(whole) : whole(response)
  return { json: JSON.stringify({ response: spreadOut, ...rest }) }
}
