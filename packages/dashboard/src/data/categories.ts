import { useQuery } from '@tanstack/react-query'
import { useSession } from './session.js'

const most = 100

/** The categories of the channel, with their values. */
export function useCategories() {
  const { client, channel } = useSession()
  return useQuery({
    queryKey: ['categories', channel._id, 'all'],
    queryFn: ({ signal }) => client.categories.list({ per_page: most }, { signal }),
  })
}
