import type { SearchMatch } from '@zoetrope/sdk'
import type { Video } from './records.js'

/** A video in the results of a search, with the places of the words. */
export type FoundVideo = Video & { readonly matches?: readonly SearchMatch[] }

type Query = Readonly<Record<string, unknown>>

/** The query for a list of videos: what the search box has is looked for in descriptions and subtitles too. */
export function wideQuery({ q, search_exact, ...query }: Query): Query {
  if (q === undefined || q === '') return query
  return { ...query, search: q, ...(search_exact === undefined ? {} : { search_exact }) }
}

/** Where to look first: the words of a title are marked in it. */
export const otherMatch = ({ matches }: FoundVideo): SearchMatch | undefined =>
  matches?.find(({ field }) => field !== 'title')
