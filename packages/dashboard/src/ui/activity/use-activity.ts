import { useDocumentVisibility } from '@mantine/hooks'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { Page } from '@zoetrope/sdk'
import { useEffect, useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { whileShown } from '../../data/while-shown.js'
import type { ActivityEvent } from './event-kinds.js'

/** The filters of a list of events, as the API takes them. */
export type ActivityQuery = Readonly<Record<string, string>>

interface ActivityOptions {
  readonly query: ActivityQuery
  readonly perPage: number
  /** Follows new events while the page is open. */
  readonly isLive: boolean
}

/**
 * The stream begins this many events before the newest one, because transactions that began earlier may end later. Known
 * events are ignored.
 */
const overlap = 10

/** The events of the channel or of one record, newest first, page by page. New ones wait until the user asks for them. */
export function useActivity({ query, perPage, isLive }: ActivityOptions) {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const queryKey = keyOf('events', channel._id, 'list', query, perPage)
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      client.events.list(
        { ...query, per_page: perPage, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  })
  const events = distinct(list.data?.pages.flatMap(({ response }) => response) ?? [])
  const known = new Set(events.map(({ _id }) => _id))
  const [arrived, forget] = useArrivals(query, isLive && list.isSuccess, events[overlap]?._id)
  const news = arrived.filter(({ _id }) => !known.has(_id))
  return {
    list,
    events,
    /** Events that have arrived since, the newest first. */
    news,
    showNews() {
      queries.setQueryData<InfiniteData<Page<ActivityEvent>>>(
        queryKey,
        (old) =>
          old && {
            ...old,
            pages: old.pages.map((page, index) =>
              index === 0 ? { ...page, response: [...news, ...page.response] } : page,
            ),
          },
      )
      forget()
    },
  }
}

/** After new events were added, a page can repeat some of the one before. */
function distinct(events: readonly ActivityEvent[]): readonly ActivityEvent[] {
  return [...new Map(events.map((event) => [event._id, event])).values()]
}

/** The events of the stream, while the page is visible: a browser has few connections to a server. */
function useArrivals(query: ActivityQuery, isOn: boolean, after: string | undefined) {
  const { client } = useSession()
  const isVisible = useDocumentVisibility() === 'visible'
  const filters = JSON.stringify(query)
  const [arrived, setArrived] = useState<readonly ActivityEvent[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream itself continues after the newest event; a new session needs a new stream
  useEffect(() => {
    if (!isOn || !isVisible) return
    return whileShown(
      (signal) => client.events.follow(JSON.parse(filters), { after, signal }),
      (event) => setArrived((old) => [event, ...old.filter(({ _id }) => _id !== event._id)]),
    )
  }, [isOn, isVisible, client, filters])
  const forget = () => setArrived([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: events that fit other filters are of no use
  useEffect(forget, [filters])
  return [arrived, forget] as const
}
