import { useQuery } from '@tanstack/react-query'
import { keyOf } from './keys.js'
import { useSession } from './session.js'

/** The channel's own record and settings. */
export function useAccount() {
  const { client, channel } = useSession()
  return useQuery({
    queryKey: keyOf('account', channel._id, 'record'),
    queryFn: ({ signal }) => client.account.get({ signal }),
    staleTime: 60_000,
  })
}

/** The number of a list's first page in the channel's API. The session knows it before the account is loaded. */
export function useFirstPage(): number {
  const { channel } = useSession()
  return useAccount().data?.first_page ?? channel.first_page
}
