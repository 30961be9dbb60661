import { QueryClient } from '@tanstack/react-query'

/** What was loaded, shared by all pages. The SDK repeats what is safe to repeat, so nothing is repeated here. */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
