import { limits, type Resource, searchFields } from '@zoetrope/contract'
import { type Fragment, raw, sql } from '../db/fragment.js'
import { invalid, invalidParameter } from '../errors.js'
import { isStorableText } from '../lib/clean.js'
import { isId } from '../lib/object-id.js'
import { quoted } from './columns.js'
import type { Call } from './feature.js'

/** Reads the words of a search. Text without a letter or a digit is an empty search. */
export function readWords(name: string, given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return undefined
  if (typeof given !== 'string') throw invalidParameter(name, 'must be text')
  const text = given.trim()
  const most = limits.search_length.value
  if (text.length > most)
    throw invalid(`${name} must be at most ${most} characters long.`, { [name]: ['is too long'] })
  if (!isStorableText(text)) throw invalidParameter(name, 'must not contain control characters')
  return /[\p{L}\p{N}]/u.test(text) ? text : undefined
}

/** The table with the words of records, where these are not in a column. */
export const wordTable = ({ name }: Resource): Fragment => raw(quoted(`${name}_search`))

/** The query of the words, as the indexes of word tables have them. With weights, only words that have one of them. */
export const markedQuery = (siteId: string, text: string, weights: string): Fragment =>
  sql`marked_query(channel_mark(${siteId}), ${text}, ${weights})`

/**
 * The conditions of a search. Every word must occur in the record, the last one as a prefix. An id finds its record.
 * The table has a `search` column, or another table has the words.
 */
export function searchConditions(resource: Resource, q: unknown, siteId: string): Fragment[] {
  const text = searchFields(resource).length === 0 ? undefined : readWords('q', q)
  if (text === undefined) return []
  const isOne = isId(text)
  if (resource.wideSearch) {
    const one = isOne ? sql`union all select ${text}::text collate "C"` : sql``
    return [
      sql`_id in (
        select _id from ${wordTable(resource)} where site_id = ${siteId} and words @@ ${markedQuery(siteId, text, 'A')} ${one}
      )`,
    ]
  }
  const found = sql`search @@ marked_query('', ${text}, '')`
  return [isOne ? sql`(_id = ${text} or ${found})` : found]
}

/** A table that is faster to search than that of the records, with the columns that `withinScope` names and the condition. */
export interface NarrowSearch {
  readonly table: Fragment
  readonly found: Fragment
  /** The condition on a record, for reading the records in order when there are many matches. */
  readonly walked?: Fragment
}

/** The same search in the table of words alone, which also has what lists are narrowed by and sorted by at first. */
function narrowSearch(resource: Resource, q: unknown, siteId: string): NarrowSearch | undefined {
  const text = resource.wideSearch ? readWords('q', q) : undefined
  if (text === undefined || isId(text)) return undefined
  return { table: wordTable(resource), found: sql`words @@ ${markedQuery(siteId, text, 'A')}` }
}

/** Where the matches of a search without filters are collected: `given`, or what `q` finds. */
export function narrowMatches(call: Call, within: Fragment, given: NarrowSearch | undefined) {
  const { resource, query, scope } = call
  const narrow = given ?? narrowSearch(resource, query.q, scope.site_id)
  return narrow && { from: narrow.table, where: sql`${within} and ${narrow.found}` }
}
