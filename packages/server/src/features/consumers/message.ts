import type { Answer } from '../../resources/feature.js'

/** The answer of an action that says what was done instead of showing a record. */
export const message = (text: string): Answer => ({ json: JSON.stringify({ message: text }) })
