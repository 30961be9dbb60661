import { limits } from '@zoetrope/contract'
import type { Answer } from './answer.js'

type Query = Readonly<Record<string, unknown>>

/** Uses cursors, not page numbers, so that rows added or removed meanwhile shift nothing. */
export async function* walkPages(
  list: (query: Query) => Promise<Answer | undefined>,
  query?: Query,
): AsyncGenerator<unknown, void, undefined> {
  let cursor: string | null | undefined
  do {
    const page = await list({ per_page: limits.per_page.value, ...query, cursor })
    yield* page?.response as unknown[]
    cursor = page?.pagination?.next_cursor
  } while (cursor)
}
