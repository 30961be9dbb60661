import { useQueryClient } from '@tanstack/react-query'
import type { CallOptions } from '@zoetrope/sdk'
import { useSession } from '../data/session.js'
import { offerUndo, sayDone, sayFailed } from './notices.js'
import { strings } from './strings.js'

/**
 * Makes a write and reports its success, with an undo button if the write has caused events. The write passes the options on
 * to the call of the API. Reports with a slot are about the page: they replace each other, and end with the page.
 */
export function useUndoable() {
  const { client } = useSession()
  const queries = useQueryClient()
  const undo = async (events: readonly string[]) => {
    try {
      for (const id of events) await client.events.undo(id)
      sayDone(strings.undone)
    } catch (error) {
      sayFailed(strings.notUndone, error)
    }
    // It may have changed anything that a page shows.
    await queries.invalidateQueries()
  }
  return async <T>(
    words: string | ((result: T) => string),
    write: (options: CallOptions) => Promise<T>,
    slot?: string,
  ): Promise<T> => {
    let events: readonly string[] = []
    const take = (ids: readonly string[]) => {
      events = ids
    }
    const result = await write({ onEvents: take })
    const told = typeof words === 'string' ? words : words(result)
    if (events.length > 0) offerUndo(told, () => void undo(events), slot)
    else sayDone(told)
    return result
  }
}
