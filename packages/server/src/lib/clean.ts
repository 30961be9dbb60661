/** Characters that neither PostgreSQL nor XML can carry: control characters, halves of pairs, non-characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

export const isStorableText = (text: string): boolean => text.isWellFormed() && !unstorable.test(text)

/** Whether a value, however nested, can be stored and given back unchanged. Deeper than `depth` it cannot. */
export function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.entries(value).every(([name, inner]) => isStorableText(name) && isStorable(inner, depth - 1))
}
