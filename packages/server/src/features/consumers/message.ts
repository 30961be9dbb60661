import type { Answer } from '../../resources/feature.js'

/** The answer of an action that returns a message instead of a record. */
export const message = (text: string): Answer => ({ json: JSON.stringify({ message: text }) })
