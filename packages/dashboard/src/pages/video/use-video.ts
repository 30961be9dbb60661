import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, watchVideo, ZoetropeError } from '@zoetrope/sdk'
import { useEffect } from 'react'
import { origin } from '../../data/api.js'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { tryChange } from '../../data/try-change.js'
import { withKnownProgress } from '../../data/video-progress.js'

/** The parts of an event that are fields of the record. The overall progress is not one. */
const fieldsOf = (video: Video, news: object) =>
  Object.fromEntries(Object.entries(news).filter(([name]) => name in video))

/** Finds a video, including a deleted one that can still be restored. */
async function findVideo(client: Client, id: string, signal: AbortSignal): Promise<Video> {
  try {
    return await client.videos.get(id, { signal })
  } catch (error) {
    if (!(error instanceof ZoetropeError) || error.status !== 404) throw error
    const query = { deleted: true, active: 'all', _id: id, per_page: 1 } as const
    const [deleted] = (await client.videos.list(query, { signal })).response
    if (!deleted) throw error
    return deleted
  }
}

/** The record of a video, updated live while the server processes its film. */
export function useVideo(id: string) {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const channelId = channel._id
  const queryKey = keyOf('videos', channelId, 'record', id)
  const fresh = (video: Video) => withKnownProgress(queries.getQueryData<Video>(queryKey), video)
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => fresh(await findVideo(client, id, signal)),
  })
  const isUnfinished = query.data?.complete_at === null && query.data.status !== 'deleted'
  useEffect(() => {
    if (!isUnfinished) return
    return watchVideo({ url: origin, videoId: id, channelId }, (news) => {
      queries.setQueryData<Video>(
        keyOf('videos', channelId, 'record', id),
        (old) => old && { ...old, ...fieldsOf(old, news) },
      )
    })
  }, [id, channelId, isUnfinished, queries])
  return {
    query,
    put: (video: Video) => {
      queries.setQueryData(queryKey, fresh(video))
      void queries.invalidateQueries({ queryKey: keyOf('videos', channelId, 'list') })
    },
    /** Shows fields before the server has confirmed them, and returns a function that reverts them. */
    tryChange: (change: Partial<Video>) => tryChange<Video>(queries, queryKey, change),
    renew: () => queries.invalidateQueries({ queryKey }),
  }
}
