/** `W/` marks a tag as weak. Quotes enclose the opaque part, which may contain commas and spaces. */
const entityTags = /(?:W\/)?("[^"]*")/g

/** Whether the caller has this representation already: RFC 9110 §13.1.2, If-None-Match, by weak comparison. */
export function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  for (const [, known] of ifNoneMatch.matchAll(entityTags)) if (known === opaque) return true
  return false
}
