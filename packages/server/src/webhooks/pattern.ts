/**
 * Whether text matches a pattern in which * stands for any characters, also none. A regular expression made from the
 * pattern of a caller could take exponential time; this takes the first place of every part, one after the other.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  const [start = '', ...others] = pattern.split('*')
  const end = others.pop()
  if (end === undefined) return text === start
  if (!text.startsWith(start) || !text.endsWith(end)) return false
  let from = start.length
  for (const part of others) {
    const at = text.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return from <= text.length - end.length
}
