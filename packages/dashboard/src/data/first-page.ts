import { useQuery } from '@tanstack/react-query'
import { useSession } from './session.js'

/** The number that the channel's API gives the first page of a list. */
export function useFirstPage(): number {
  const { client, channel } = useSession()
  const account = useQuery({
    queryKey: ['account', channel._id],
    queryFn: ({ signal }) => client.account.get({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return account.data?.first_page ?? 0
}
