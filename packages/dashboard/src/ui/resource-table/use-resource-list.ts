import { keepPreviousData, type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Catalog, filtersByName, type Resource } from '@zoetrope/contract'
import type { CallOptions, Page } from '@zoetrope/sdk'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { listSearch } from '../define-search.js'

export type ListQuery = Readonly<Record<string, unknown>>

export interface ListState<T> {
  readonly resource: Resource
  readonly query: UseQueryResult<Page<T>>
  /** The query in the page's URL: search, order, page and filters. */
  readonly asked: ListQuery
  readonly sort: string
  readonly order: 'asc' | 'desc'
  /** Whether a search or filter narrows the list. */
  readonly isNarrowed: boolean
  /** Changes the query, and goes to the first page unless the change names a page. */
  ask(change: ListQuery): void
  clear(): void
  /** The query of any page of the same list. The first page has no number. */
  pageOf(page: number | undefined): PageQuery<T>
  /** Writes the page number to the URL, without a new entry in the browser's history. */
  lookAt(page: number | undefined): void
}

interface PageQuery<T> {
  readonly queryKey: QueryKey
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Page<T>>
}

interface ListOptions<T> {
  readonly resource: Resource
  readonly name: keyof Catalog
  readonly list: (query: ListQuery, options: CallOptions) => Promise<Page<T>>
  /** Sent with every request, unless the URL overrides it. */
  readonly base?: ListQuery
  readonly perPage?: number
}

const always = ['q', 'search_exact', 'sort', 'order', 'page']

/** A page of a list. The query is in the URL, so the page can be bookmarked and the back button works. */
export function useResourceList<T>({
  resource,
  name,
  list,
  base,
  perPage = 25,
}: ListOptions<T>): ListState<T> {
  const { channel } = useSession()
  const search = listSearch.useSearch()
  const navigate = useNavigate()
  const filters = filtersByName(resource)
  const isKnown = (name: string) => always.includes(name) || filters.has(name)
  const asked = Object.fromEntries(Object.entries(search).filter(([name]) => isKnown(name)))
  const queryOf = (what: ListQuery): PageQuery<T> => ({
    queryKey: keyOf(name, channel._id, 'list', base, perPage, what),
    queryFn: ({ signal }) => list({ per_page: perPage, ...base, ...what }, { signal }),
  })
  const query = useQuery({ ...queryOf(asked), placeholderData: keepPreviousData })
  // Changes the query of that moment: another change may not have been drawn yet.
  const put = (change: (old: ListQuery) => ListQuery, isSameStep: boolean) => {
    const search = listSearch.to((old) => without(change(old as ListQuery)))
    void navigate({ to: '.', search, replace: isSameStep, resetScroll: false })
  }
  return {
    resource,
    query,
    asked,
    sort: String(asked.sort ?? resource.order.sort),
    order: asked.order === 'asc' || asked.order === 'desc' ? asked.order : resource.order.order,
    isNarrowed: Object.keys(asked).some((name) => name === 'q' || filters.has(name)),
    ask: (change) => put((old) => ({ ...old, page: undefined, ...change }), 'q' in change),
    clear: () =>
      put(
        (old) =>
          Object.fromEntries(
            Object.entries(old).filter(([name]) => name !== 'q' && !filters.has(name) && name !== 'page'),
          ),
        false,
      ),
    pageOf: (page) => queryOf(without({ ...asked, page })),
    lookAt: (page) => put((old) => ({ ...old, page }), true),
  }
}

const without = (values: ListQuery): ListQuery =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))
