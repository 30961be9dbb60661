import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { Page } from '@zoetrope/sdk'
import { type RefObject, useEffect, useRef } from 'react'
import { useFirstPage } from '../../data/account.js'
import type { Video } from '../../data/records.js'
import type { ListState } from '../../ui/resource-table/use-resource-list.js'
import { type Between, idsBetween } from '../../ui/resource-table/use-selection.js'
import { type RowWindow, useWindow } from '../../ui/use-window.js'
import { whileUnderWay } from '../../ui/video-state.js'

export const perPage = 60
/** Delays requests while the user scrolls, so that skipped pages are not fetched. */
const settleMs = 60
const noteMs = 400

export interface Entry {
  readonly place: number
  /** Undefined while it loads. */
  readonly video: Video | undefined
}

export interface Entries extends RowWindow {
  readonly count: number
  readonly shown: readonly Entry[]
  /** The ids on the loaded pages around the screen, also those that are not drawn. */
  readonly loaded: readonly string[]
  /** Loads the pages in between if needed. */
  readonly between: Between
}

/** The page on the screen and its query, for the view that is drawn next. The URL follows later. */
export type PageSeen = RefObject<{ readonly what: string; readonly page: number } | undefined>

/** The videos of a long list that are on the screen now. The URL holds the page number. */
export function useEntries(list: ListState<Video>, seen: PageSeen, estimate: number): Entries {
  const firstNumber = useFirstPage()
  const numberOf = (page: number) => (page === 0 ? undefined : page + firstNumber)
  const count = useCount(list, numberOf)
  const view = useWindow(count, estimate)
  const told = Math.max(0, Number(list.asked.page ?? firstNumber) - firstNumber)
  const drawn = [view.first, Math.max(0, view.end - 1)].map((place) => Math.floor(place / perPage))
  // At first the list is at its top, and is about to be scrolled to the page in the URL.
  const [from, until] = view.isMeasured ? drawn : [told, told]
  const [settled] = useDebouncedValue(`${from} ${until}`, settleMs)
  const [start = 0, end = 0] = settled.split(' ').map(Number)
  const wanted = Array.from({ length: end - start + 1 }, (_, index) => start + index)
  const found = useQueries({
    queries: wanted.map((page) => ({ ...list.pageOf(numberOf(page)), refetchInterval: whileUnderWay })),
  })
  const shown = Array.from({ length: Math.max(0, view.end - view.first) }, (_, index): Entry | undefined => {
    const place = view.first + index
    const page = found[Math.floor(place / perPage) - start]?.data
    const video = page?.response[place % perPage]
    // If the loaded page has no video here, the list has become shorter.
    return page && !video ? undefined : { place, video }
  })
  useNotedPage(list, view, seen, told, firstNumber)
  const between = useBetween(list, numberOf)
  return {
    ...view,
    count,
    between,
    loaded: found.flatMap(({ data }) => data?.response.map(({ _id }) => _id) ?? []),
    shown: shown.filter((entry) => entry !== undefined),
  }
}

/** Finds the videos between two that were on the screen before, whose pages are therefore known. */
function useBetween(list: ListState<Video>, numberOf: (page: number) => number | undefined): Between {
  const queries = useQueryClient()
  const pages = list.query.data?.pagination.pages ?? 0
  const pageOf = (page: number) => list.pageOf(numberOf(page))
  const knows = (page: number, id: string) =>
    queries.getQueryData<Page<Video>>(pageOf(page).queryKey)?.response.some(({ _id }) => _id === id) ?? false
  return async (from, to) => {
    const all = Array.from({ length: pages }, (_, page) => page)
    const [start, end] = [from, to]
      .map((id) => all.findIndex((page) => knows(page, id)))
      .sort((a, b) => a - b)
    if (start === undefined || end === undefined || start < 0) return [to]
    const loaded = await Promise.all(
      all.slice(start, end + 1).map((page) => queries.ensureQueryData<Page<Video>>(pageOf(page))),
    )
    return idsBetween(
      loaded.flatMap(({ response }) => response.map(({ _id }) => _id)),
      from,
      to,
    )
  }
}

/** The number of videos. Until the last page is loaded, counts it as full. */
function useCount(list: ListState<Video>, numberOf: (page: number) => number | undefined): number {
  const queries = useQueryClient()
  const pages = list.query.data?.pagination.pages ?? 0
  if (pages === 0) return 0
  const last = queries.getQueryData<Page<Video>>(list.pageOf(numberOf(pages - 1)).queryKey)
  return (pages - 1) * perPage + (last?.response.length ?? perPage)
}

/** The query whose page the list was scrolled to, and the page that was left for it, until the screen follows. */
interface Placed {
  readonly what: string
  readonly left?: number
}

/** Scrolls to this page, unless the router has already scrolled to where the user was. */
function openAt(view: RowWindow, page: number): boolean {
  const isMoved = page > 0 && window.scrollY === 0
  if (isMoved) view.scrollTo(page * perPage)
  return isMoved
}

function toTop(): true {
  window.scrollTo({ top: 0 })
  return true
}

/**
 * Scrolls to the page seen last, at first that in the URL, writes the current page to the URL, and returns to the top
 * when the query changes.
 */
function useNotedPage(
  { asked, lookAt }: ListState<Video>,
  view: RowWindow,
  seen: PageSeen,
  told: number,
  firstNumber: number,
): void {
  const { page: _, ...rest } = asked
  const page = Math.floor(view.top / perPage)
  const what = JSON.stringify(rest)
  const placed = useRef<Placed>(undefined)
  const isThere = () => placed.current?.what === what && placed.current.left !== page
  useEffect(() => {
    if (isThere()) {
      placed.current = { what }
      seen.current = { what, page }
    }
    if (!view.isMeasured || placed.current?.what === what) return
    const start = seen.current?.what === what ? seen.current.page : told
    const isMoved = placed.current === undefined ? openAt(view, start) : toTop()
    placed.current = isMoved ? { what, left: page } : { what }
  })
  // Only another page starts the time again: a list that is often drawn anew would never be noted.
  const [noted] = useDebouncedValue(page, noteMs)
  useEffect(() => {
    if (noted !== page || page === told || !isThere()) return
    lookAt(page === 0 ? undefined : page + firstNumber)
  })
}
