import { useQuery, useQueryClient } from '@tanstack/react-query'
import { watchVideo } from '@zoetrope/sdk'
import { useEffect } from 'react'
import { origin } from '../../data/api.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'

/** Those of the news that are fields of the record; how far the whole is, is none. */
const fieldsOf = (video: Video, news: object) =>
  Object.fromEntries(Object.entries(news).filter(([name]) => name in video))

/** The record of a video, which follows what the server does with its film as it happens. */
export function useVideo(id: string) {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const queryKey = ['video', channel._id, id]
  const query = useQuery({ queryKey, queryFn: ({ signal }) => client.videos.get(id, { signal }) })
  const isUnfinished = query.data !== undefined && query.data.complete_at === null
  const channelId = channel._id
  useEffect(() => {
    if (!isUnfinished) return
    return watchVideo({ url: origin, videoId: id, channelId }, (news) => {
      queries.setQueryData<Video>(
        ['video', channelId, id],
        (old) => old && { ...old, ...fieldsOf(old, news) },
      )
    })
  }, [id, channelId, isUnfinished, queries])
  return {
    query,
    put: (video: Video) => {
      queries.setQueryData(queryKey, video)
      void queries.invalidateQueries({ queryKey: ['videos'] })
    },
    renew: () => queries.invalidateQueries({ queryKey }),
  }
}
