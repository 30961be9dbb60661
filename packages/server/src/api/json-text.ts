import { invalid } from '../errors.js'

/** The value of a JSON text that was measured while it came. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(
      `The JSON cannot be read: ${cause instanceof Error ? cause.message : 'it is not well-formed'}.`,
    )
  }
}
