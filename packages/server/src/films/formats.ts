import { invalid } from '../errors.js'
import { formatNames } from '../media/formats.js'
import type { Call } from '../resources/feature.js'

/** Reads the formats of a video in these fields as booleans; a form sends them as text. */
export function withFormats(body: Call['body']): Call['body'] {
  const { formats } = body
  if (formats === undefined) return body
  const pairs = Object.entries(formats as Record<string, unknown>)
  const whys = [
    ...pairs
      .filter(([name]) => !(formatNames as readonly string[]).includes(name))
      .map(([name]) => `has no format ${name.slice(0, 40)}; there are ${formatNames.join(', ')}`),
    ...pairs
      .filter(([, value]) => flagOf(value) === undefined)
      .map(([name]) => `${name.slice(0, 40)} must be true or false`),
  ]
  if (whys.length > 0)
    throw invalid(`Could not save video: ${whys.map((why) => `formats ${why}`).join(', ')}.`, {
      formats: whys,
    })
  return { ...body, formats: Object.fromEntries(pairs.map(([name, value]) => [name, flagOf(value)])) }
}

function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}
