import { invalid } from '../errors.js'
import { FetchRefused } from '../fetching/fetch-error.js'
import { readUrl } from '../fetching/target.js'

/** Refuses what could never be fetched. Where a name leads is asked when it is. */
export function checkFetched(address: unknown, field = 'url'): void {
  if (typeof address !== 'string') return
  try {
    readUrl(address)
  } catch (error) {
    if (error instanceof FetchRefused) throw invalid(error.message, { [field]: [error.message] })
    throw error
  }
}
