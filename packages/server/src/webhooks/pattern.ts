import { eventSubjects, eventVerbs } from '@zoetrope/contract'

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

/** Whether both parts of the pattern match something that events are about, and something that happens. */
export function matchesAnyEvent(pattern: string): boolean {
  const [first = '', second] = pattern.split('.')
  if (second === undefined) return first.includes('*')
  const hasMatch = (names: readonly string[], part: string) =>
    names.some((name) => matchesPattern(name, part))
  return hasMatch(eventSubjects, first) && hasMatch(eventVerbs, second)
}
