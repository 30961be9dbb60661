import { queryOptions, useQuery } from '@tanstack/react-query'
import { visitor } from './api.js'

const methodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => visitor.signInMethods({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** How publishers can sign in here: with a password, with an identity provider, or both. */
export const useSignInMethods = () => useQuery(methodsQuery)

/** The address that leads to the identity provider and back to this page. */
export function providerAddress(isConfirmation: boolean): string {
  const { pathname, search } = window.location
  const query = new URLSearchParams(search)
  query.delete('problem')
  const path = pathname.replace(/^\/dashboard/, '') + (query.size > 0 ? `?${query}` : '')
  const asked = new URLSearchParams({ path, ...(isConfirmation ? { confirm: 'true' } : {}) })
  return `/dashboard/oidc?${asked}`
}
