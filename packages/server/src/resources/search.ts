import { type Resource, searchFields } from '@zoetrope/contract'
import { type Fragment, sql } from '../db/fragment.js'
import { isId } from '../lib/object-id.js'
import { markedQuery, readWords, wordTable } from './search-words.js'

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
  const found = sql`search @@ search_query(${text})`
  return [isOne ? sql`(_id = ${text} or ${found})` : found]
}
