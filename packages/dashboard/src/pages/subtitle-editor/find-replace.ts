import { changeLine, type Lines } from './line-edits.js'

export interface Search {
  readonly find: string
  readonly isCaseMatched: boolean
}

export interface Match {
  readonly key: number
  readonly from: number
  readonly to: number
}

/** Matches a tag, which is ignored, or the text to find. */
const patternOf = ({ find, isCaseMatched }: Search) => {
  const literal = find.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`</?[a-zA-Z][^<>]*>|(${literal})`, isCaseMatched ? 'gu' : 'giu')
}

/** Everything that a search finds in the texts, outside of tags. */
export function matchesIn(lines: Lines, search: Search): readonly Match[] {
  if (search.find === '') return []
  const pattern = patternOf(search)
  return lines.flatMap(({ key, text }) =>
    [...text.matchAll(pattern)]
      .filter(([, found]) => found !== undefined)
      .map((match) => ({ key, from: match.index, to: match.index + match[0].length })),
  )
}

/** Replaces one match. */
export function replaceOne(lines: Lines, { key, from, to }: Match, by: string): Lines {
  const text = lines.find((line) => line.key === key)?.text ?? ''
  return changeLine(lines, key, { text: text.slice(0, from) + by + text.slice(to) })
}

/** Replaces all matches. Lines without one stay the same objects. */
export function replaceAll(lines: Lines, search: Search, by: string): Lines {
  if (search.find === '') return lines
  const pattern = patternOf(search)
  return lines.map((line) => {
    const text = line.text.replace(pattern, (whole, found?: string) => (found === undefined ? whole : by))
    return text === line.text ? line : { ...line, text }
  })
}
