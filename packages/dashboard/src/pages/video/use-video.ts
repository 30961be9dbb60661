import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { tryChange } from '../../data/try-change.js'
import { withKnownProgress } from '../../data/video-progress.js'
import { whileShown } from '../../data/while-shown.js'

/** The parts of an event that are fields of the record. The overall progress is not one. */
const fieldsOf = (video: Video, news: object) =>
  Object.fromEntries(Object.entries(news).filter(([name]) => name in video))

/** The record of a video, even if it is in the trash, updated live while the server processes its film. */
export function useVideo(id: string) {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const channelId = channel._id
  const queryKey = keyOf('videos', channelId, 'record', id)
  const fresh = (video: Video) => withKnownProgress(queries.getQueryData<Video>(queryKey), video)
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => fresh(await client.videos.get(id, { signal, query: { deleted: true } })),
  })
  const isUnfinished = query.data?.complete_at === null && query.data.status !== 'deleted'
  useEffect(() => {
    if (!isUnfinished) return
    return whileShown(
      (signal) => client.videos.follow(id, { signal }),
      (news) =>
        queries.setQueryData<Video>(
          keyOf('videos', channelId, 'record', id),
          (old) => old && { ...old, ...fieldsOf(old, news) },
        ),
    )
  }, [client, id, channelId, isUnfinished, queries])
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
