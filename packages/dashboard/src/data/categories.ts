import { useQuery } from '@tanstack/react-query'
import { keyOf } from './keys.js'
import { useSession } from './session.js'

const most = 100

/** The categories of the channel, with their values. */
export function useCategories() {
  const { client, channel } = useSession()
  return useQuery({
    queryKey: keyOf('categories', channel._id, 'list', 'all'),
    queryFn: ({ signal }) => client.categories.list({ per_page: most }, { signal }),
  })
}
