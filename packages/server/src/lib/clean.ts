/**
 * Characters that neither PostgreSQL nor XML can hold: control characters, lone surrogates, non-characters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

export const isStorableText = (text: string): boolean => text.isWellFormed() && !unstorable.test(text)

/** Whether a value can be stored and read back unchanged. Values nested deeper than `depth` cannot. */
export function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.entries(value).every(([name, inner]) => isStorableText(name) && isStorable(inner, depth - 1))
}
