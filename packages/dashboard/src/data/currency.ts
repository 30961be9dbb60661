/** The currency of purchases whose record names none. */
const usualCurrency = 'USD'

/** The currency that most of these have. Prices of videos and playlists are meant in it, because they name none. */
export function currencyAmong(offers: readonly { readonly currency: string | null }[]): string {
  const counts = new Map<string, number>()
  for (const { currency } of offers) if (currency) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? usualCurrency
}
