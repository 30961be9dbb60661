import type { Answer, Call } from '../../resources/feature.js'
import { flagIn } from '../../resources/projection.js'
import { standard } from '../../resources/standard.js'

interface EntriesPage {
  readonly response: readonly object[]
  readonly pagination: { readonly next_cursor?: string | null }
}

const mostPages = 100

/** Lists entries page by page or, with disable_pagination, all on one page. */
export async function listEntries(call: Call): Promise<Answer | undefined> {
  const { disable_pagination: _, ...query } = call.query
  if (!flagIn(call.query, 'disable_pagination')) return standard.list({ ...call, query })
  const entries: object[] = []
  let cursor = ''
  for (let pages = 0; pages < mostPages; pages += 1) {
    const answer = await standard.list({ ...call, query: { ...query, page: '', per_page: '100', cursor } })
    const { response, pagination } = JSON.parse(answer?.json.toString() ?? '') as EntriesPage
    entries.push(...response)
    if (!pagination.next_cursor) break
    cursor = pagination.next_cursor
  }
  const current = call.principal.firstPage
  const one = {
    current,
    previous: null,
    next: null,
    per_page: entries.length,
    pages: entries.length > 0 ? 1 : 0,
    total: entries.length,
  }
  return { json: JSON.stringify({ response: entries, pagination: { ...one, next_cursor: null } }) }
}
