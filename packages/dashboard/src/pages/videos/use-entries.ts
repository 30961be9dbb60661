import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { Page } from '@zoetrope/sdk'
import { type RefObject, useEffect, useRef, useState } from 'react'
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
  const { what, opening } = usePlace(list, view, seen, firstNumber)
  const drawn = [view.first, Math.max(0, view.end - 1)].map((place) => Math.floor(place / perPage))
  const { start, pages } = useSettled(what, opening === undefined ? drawn : [opening, opening])
  const found = useQueries({
    queries: pages.map((page) => ({ ...list.pageOf(numberOf(page)), refetchInterval: whileUnderWay })),
  })
  const shown = Array.from({ length: Math.max(0, view.end - view.first) }, (_, index): Entry | undefined => {
    const place = view.first + index
    const page = found[Math.floor(place / perPage) - start]?.data
    const video = page?.response[place % perPage]
    // If the loaded page has no video here, the list has become shorter.
    return page && !video ? undefined : { place, video }
  })
  const between = useBetween(list, numberOf)
  return {
    ...view,
    count,
    between,
    loaded: found.flatMap(({ data }) => data?.response.map(({ _id }) => _id) ?? []),
    shown: shown.filter((entry) => entry !== undefined),
  }
}

/** The pages to load: those on the screen, when it has been still for a moment. Another query does not wait. */
function useSettled(what: string, [from = 0, until = from]: readonly number[]) {
  const [settled] = useDebouncedValue(JSON.stringify([what, from, until]), settleMs)
  const [of, first, last] = JSON.parse(settled) as [string, number, number]
  const [start, end] = of === what ? [first, last] : [from, until]
  return { start, pages: Array.from({ length: end - start + 1 }, (_, index) => start + index) }
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

/** Scrolls to the beginning of a page, for the first one to that of the document. */
function goTo(view: RowWindow, page: number): void {
  if (page === 0) window.scrollTo({ top: 0 })
  else view.scrollTo(page * perPage)
}

/** Calls back when the browser has scrolled and drawn. */
const afterDrawing = (done: () => void) => requestAnimationFrame(() => requestAnimationFrame(done))

/**
 * Goes to the page seen last, at first that in the URL, when the list is opened or its query changes, and then writes the
 * page on the screen to the URL. Returns the query, and until the list is there, the page that it opens at.
 */
function usePlace(
  { query, asked, lookAt }: ListState<Video>,
  view: RowWindow,
  seen: PageSeen,
  firstNumber: number,
): { readonly what: string; readonly opening: number | undefined } {
  const { page: number, ...rest } = asked
  const what = JSON.stringify(rest)
  const pageInUrl = Math.max(0, Number(number ?? firstNumber) - firstNumber)
  const start = seen.current?.what === what ? seen.current.page : pageInUrl
  const page = Math.floor(view.top / perPage)
  const going = useRef<string>(undefined)
  const [placed, setPlaced] = useState<string>()
  const isThere = placed === what
  // While the records of another query are shown, the list may be too short.
  const canScroll = view.isMeasured && !query.isPlaceholderData
  useEffect(() => {
    if (isThere || !canScroll || going.current === what) return
    going.current = what
    // The router may have restored the exact place already, or does so next.
    if (page !== start || (start === 0 && placed !== undefined)) goTo(view, start)
    afterDrawing(() => {
      going.current = undefined
      setPlaced(what)
    })
  })
  useEffect(() => {
    if (isThere) seen.current = { what, page }
  })
  // Only another page starts the time again: a list that is often drawn anew would never be noted.
  const [noted] = useDebouncedValue(page, noteMs)
  useEffect(() => {
    if (noted !== page || page === pageInUrl || !isThere) return
    lookAt(page === 0 ? undefined : page + firstNumber)
  })
  return { what, opening: isThere ? undefined : start }
}
