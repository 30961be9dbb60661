import type { Words } from '@zoetrope/contract/words/field-words'
import { labelOf } from './labels.js'

/** The texts of a field, as the props of its input. */
export function wordsFor(words: Words, name: string) {
  const { label, help, options, of } = words[name] ?? { label: labelOf(name), help: null }
  return { label, help, options, inner: of }
}

/** The name of a choice's option. */
export const optionLabel = (words: Words, name: string, option: unknown): string =>
  words[name]?.options?.[String(option)] ?? labelOf(String(option))

/** Replaces the names that the API has for fields by their labels: in the middle of a message, or at its beginning. */
export const withLabels = (message: string, words: Words): string =>
  message.replaceAll(/^[a-z]+\b(?!_)|\b[a-z]+(?:_[a-z]+)+\b/g, (name) => words[name]?.label ?? name)
