import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ZoetropeError } from '@zoetrope/sdk'
import { sessionKey } from './session.js'

/** What was loaded, shared by all pages. The SDK repeats what is safe to repeat, so nothing is repeated here. */
export function createQueries(): QueryClient {
  const onError = (error: unknown) => {
    // The session has ended: what follows is the sign-in page, and afterwards the page as it was.
    if (error instanceof ZoetropeError && error.status === 401) queries.setQueryData(sessionKey, null)
  }
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return queries
}
