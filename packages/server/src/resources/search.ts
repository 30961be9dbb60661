import { limits, type Resource, searchFields } from '@zoetrope/contract'
import { type Fragment, sql } from '../db/fragment.js'
import { invalid } from '../errors.js'
import { isStorableText } from '../lib/clean.js'
import { isId } from '../lib/object-id.js'

/**
 * The conditions of a search. Every word must occur in the record, the last one as a prefix. An id finds its record.
 * The table has a `search` column.
 */
export function searchConditions(resource: Resource, q: unknown): Fragment[] {
  if (q === undefined || q === null || q === '' || searchFields(resource).length === 0) return []
  if (typeof q !== 'string') throw invalid('q must be text.', { q: ['must be text'] })
  const text = q.trim()
  if (text.length > limits.search_length.value)
    throw invalid(`q must be at most ${limits.search_length.value} characters long.`, { q: ['is too long'] })
  if (!isStorableText(text))
    throw invalid('q must not contain control characters.', { q: ['must not contain control characters'] })
  // Text without a letter or a digit is an empty search.
  if (!/[\p{L}\p{N}]/u.test(text)) return []
  const found = sql`search @@ search_query(${text})`
  return [isId(text) ? sql`(_id = ${text} or ${found})` : found]
}
