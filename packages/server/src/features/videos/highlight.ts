import type { SearchMatch } from '@zoetrope/contract'

type MatchParts = SearchMatch['parts']

/** The words of a text, as search compares them: runs of letters and digits in lower case. */
export const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Finds the words in a text. The last one may be the beginning of a longer word. */
export function finderOf(words: readonly string[]): RegExp {
  const patterns = words.map((word, index) =>
    index === words.length - 1 ? `${word}[\\p{L}\\p{N}]*` : `${word}(?![\\p{L}\\p{N}])`,
  )
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})`, 'giu')
}

/** The text in pieces: those that are words of the search, and what is between them. */
export function split(text: string, finder: RegExp): MatchParts {
  const parts: MatchParts = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(finder)) {
    if (index > from) parts.push({ text: text.slice(from, index), hit: false })
    parts.push({ text: found, hit: true })
    from = index + found.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), hit: false })
  return parts
}

const longest = 200
const before = 60

/** The part of a text that has the first word, cut between words. Undefined if there is none. */
export function excerpt(text: string, finder: RegExp): MatchParts | undefined {
  const line = text.replace(/\s+/g, ' ').trim()
  const first = line.search(finder)
  if (first < 0) return undefined
  if (line.length <= longest) return split(line, finder)
  const from = first <= before ? 0 : line.indexOf(' ', first - before) + 1
  const start = from > first ? first : from
  const end = start + longest
  const last = end >= line.length ? line.length : Math.max(line.lastIndexOf(' ', end), first + 1)
  const shown = line.slice(start, last === first + 1 ? end : last)
  return split(`${start > 0 ? '…' : ''}${shown}${last < line.length ? '…' : ''}`, finder)
}
