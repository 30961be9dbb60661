import { strings } from '../strings.js'

/** Parameters that are not filters. */
const plain: readonly string[] = ['q', 'search_exact', 'sort', 'order', 'page', 'per_page']

/** The reason why a list is empty, and the label of the button that clears the search or filters. */
export function nothingFound(asked: Readonly<Record<string, unknown>>): {
  readonly about: string
  readonly clear: string
} {
  const search = asked.q === undefined ? '' : String(asked.q)
  const hasFilters = Object.keys(asked).some((name) => !plain.includes(name))
  if (search === '') return { about: strings.noneOfFilters, clear: strings.clearFilters }
  return hasFilters
    ? { about: strings.noneOfBoth(search), clear: strings.clearBoth }
    : { about: strings.noneOfSearch(search), clear: strings.clearSearch }
}
