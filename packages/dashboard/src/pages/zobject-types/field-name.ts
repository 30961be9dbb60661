/** Names as the API takes them. */
const usable = /^[a-zA-Z][a-zA-Z0-9_]*$/

/** The name of a field in the API, from what somebody calls it: Born in → born_in. Empty if nothing in it can be used. */
export function fieldNameOf(label: string): string {
  const trimmed = label.trim()
  if (usable.test(trimmed)) return trimmed
  const plain = trimmed
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    // Accents, which have come off their letters now.
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return /^\d/.test(plain) ? `field_${plain}` : plain
}
