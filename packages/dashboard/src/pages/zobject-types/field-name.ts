/** Names that the API accepts. */
const usable = /^[a-zA-Z][a-zA-Z0-9_]*$/

/** Converts a label to a field name of the API: Born in → born_in. Empty if no character is usable. */
export function fieldNameOf(label: string): string {
  const trimmed = label.trim()
  if (usable.test(trimmed)) return trimmed
  const plain = trimmed
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    // Removes the accents that normalization has separated from their letters.
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return /^\d/.test(plain) ? `field_${plain}` : plain
}
