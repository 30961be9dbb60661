/** What a token may be issued for. */
export const scopes = {
  consumer: "Everything the consumer may do: the catalogue and the consumer's own data.",
  public: 'The published catalogue only.',
} as const

/** The scope asked for in its one spelling: everything unless less is asked for; undefined for words that are none. */
export function readScope(asked: string | undefined): string | undefined {
  const words = [...new Set((asked ?? '').split(' ').filter((word) => word !== ''))]
  if (words.length === 0) return 'consumer'
  return words.every((word) => Object.hasOwn(scopes, word)) ? words.sort().join(' ') : undefined
}

/** Whether what was granted covers what is asked for. */
export const covers = (granted: string, asked: string): boolean =>
  granted.split(' ').includes('consumer') ||
  asked.split(' ').every((word) => granted.split(' ').includes(word))
