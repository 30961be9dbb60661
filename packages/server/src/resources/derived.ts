import type { Answer } from './feature.js'

/** A record with fields that are in no table, where it was asked for them. */
export function fill({ json, ...answer }: Answer, values: Readonly<Record<string, unknown>>): Answer {
  const { response } = JSON.parse(json.toString()) as { response: Record<string, unknown> }
  for (const [name, value] of Object.entries(values))
    if (Object.hasOwn(response, name)) response[name] = value
  return { ...answer, json: JSON.stringify({ response }) }
}
