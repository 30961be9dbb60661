import { catalog, filtersByName } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import { optionLabel, wordsFor } from '../../ui/field-words.js'
import { clock, dateOf } from '../../ui/numbers.js'
import { strings } from './strings.js'

const signs: Readonly<Record<string, string>> = { gt: '>', gte: '≥', lt: '<', lte: '≤', not: '≠' }

/** The name of a field among the filters. */
export const filterLabel = (name: string): string =>
  (strings.fields as Readonly<Record<string, string>>)[name] ?? wordsFor(videoWords, name).label

function valueInWords(name: string, value: unknown): string {
  const field = catalog.videos.fields[name as keyof typeof catalog.videos.fields]
  if (field?.kind === 'flag') return String(value) === 'true' ? strings.yes : strings.no
  if (field?.kind === 'choice') return optionLabel(videoWords, name, value)
  if (field?.kind === 'timestamp') return dateOf(String(value))
  if (name === 'duration') return clock(Number(value))
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** A filter as readable text: Duration ≥ 10:00. */
export function inWords(parameter: string, value: unknown): string {
  const filter = filtersByName(catalog.videos).get(parameter)
  if (!filter) return parameter
  if (filter.name === 'categories')
    return Object.entries(value as object)
      .map(([title, of]) => `${title}: ${String(of)}`)
      .join(', ')
  const label = filterLabel(filter.name)
  if (filter.name === 'related_playlist_ids') return label
  const sign = signs[filter.comparison]
  return sign
    ? `${label} ${sign} ${valueInWords(filter.name, value)}`
    : `${label}: ${valueInWords(filter.name, value)}`
}
