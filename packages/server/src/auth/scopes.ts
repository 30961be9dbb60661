/** The scopes of a token. */
export const scopes = {
  consumer: "Everything the consumer may do: the catalogue and the consumer's own data.",
  public: 'The published catalogue only.',
} as const

/** The requested scope in canonical form, everything by default; undefined if it contains unknown words. */
export function readScope(requested: string | undefined): string | undefined {
  const words = [...new Set((requested ?? '').split(' ').filter((word) => word !== ''))]
  if (words.length === 0) return 'consumer'
  return words.every((word) => Object.hasOwn(scopes, word)) ? words.sort().join(' ') : undefined
}

/** Whether the granted scope covers the requested one. */
export const covers = (granted: string, requested: string): boolean =>
  granted.split(' ').includes('consumer') ||
  requested.split(' ').every((word) => granted.split(' ').includes(word))
