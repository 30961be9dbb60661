import { Anchor, Text } from '@mantine/core'
import type { SearchSummary as Summary } from '@zoetrope/sdk'
import type { Video } from '../../data/records.js'
import type { ListState } from '../../ui/resource-table/use-resource-list.js'
import { strings } from './strings.js'

/** How many videos a search found, and which words it corrected or suggests. */
export function SearchSummary({ list }: { readonly list: ListState<Video> }) {
  const search = list.query.data?.search
  if (!search) return null
  return (
    <div>
      <Text size="sm" c="dimmed" role="status">
        {search.total_exact ? strings.results(search.total) : strings.moreResults(search.total)}
      </Text>
      <Corrected search={search} list={list} />
    </div>
  )
}

function Corrected({ search, list }: { readonly search: Summary; readonly list: ListState<Video> }) {
  const { asked, searched, suggestion } = search
  if (searched !== asked)
    return (
      <Text size="sm">
        {strings.showingFor} <strong>{searched}</strong>.{' '}
        <Anchor component="button" size="sm" onClick={() => list.ask({ search_exact: true })}>
          {strings.insteadFor(asked)}
        </Anchor>
      </Text>
    )
  if (suggestion === null) return null
  return (
    <Text size="sm">
      <Anchor component="button" size="sm" onClick={() => list.ask({ q: suggestion })}>
        {strings.didYouMean(suggestion)}
      </Anchor>
    </Text>
  )
}
