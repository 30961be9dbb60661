import { invalidParameter } from '../errors.js'
import { readFlag } from '../lib/read-scalar.js'

export type Query = Readonly<Record<string, unknown>>

/** Reads a parameter that is true or false, or false if it is missing. */
export function flagIn(query: Query, name: string): boolean {
  const given = query[name]
  if (given === undefined || given === '') return false
  const flag = readFlag(String(given))
  if (flag === undefined) throw invalidParameter(name, 'must be true or false')
  return flag
}

/** Keeps the fields that response_fields=a,b names, and the id. Unknown names are ignored. */
export function project(query: Query, json: string): string {
  const asked = query.response_fields
  if (asked === undefined || asked === '') return json
  const names = (Array.isArray(asked) ? asked : [asked]).flatMap((each) => String(each).split(','))
  const record = JSON.parse(json) as Record<string, unknown>
  const kept = ['_id', ...names.map((name) => name.trim())].filter((name) => Object.hasOwn(record, name))
  return JSON.stringify(Object.fromEntries(kept.map((name) => [name, record[name]])))
}
