import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../../data/keys.js'
import { looseCalls } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import type { UploadItem } from '../../data/upload-list.js'
import { type Followed, isSettled, outcomeOf } from './outcome.js'

const lookAgainMs = 2000
const mostFollowed = 100

/** The videos of uploaded files, polled with one request until all outcomes are final. */
export function useFollowed(items: readonly UploadItem[]): ReadonlyMap<string, Followed> {
  const { client, channel } = useSession()
  const ids = items
    .filter((item) => item.state === 'done' && item.channel._id === channel._id)
    .flatMap(({ videoId }) => videoId ?? [])
    .slice(-mostFollowed)
  const { data } = useQuery({
    queryKey: keyOf('videos', channel._id, 'list', 'uploaded', ids),
    queryFn: async ({ signal }): Promise<readonly Followed[]> => {
      const query = { id: ids, active: 'all', per_page: mostFollowed }
      const { response } = await looseCalls(client, 'videos').list(query, { signal })
      const missing = ids.filter((id) => !response.some(({ _id }) => _id === id))
      return [...response, ...missing.map(goneVideo)]
    },
    enabled: ids.length > 0,
    // The known videos stay while the query with one more file runs.
    placeholderData: (before) => before,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.every((video) => isSettled(outcomeOf(video))) ? false : lookAgainMs,
  })
  return new Map((data ?? []).map((video) => [video._id, video]))
}

const goneVideo = (_id: string): Followed => ({
  _id,
  status: 'deleted',
  status_reason: null,
  data_sources: [],
  active: false,
  enable_at: null,
})
