/** A title as part of an address: lower case, no accents, words joined by hyphens; never empty. */
export function slug(title: string, maxLength = 200): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  const joined = (words ?? []).join('-')
  return [...joined].slice(0, maxLength).join('').replace(/-+$/, '') || 'untitled'
}
