import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { sayFailed } from '../../ui/notices.js'
import { strings } from './strings.js'

const lookAgainMs = 700

const isSettled = (video: Video | undefined) =>
  video !== undefined && (video.playable_at !== null || video.status === 'failed')

export interface Sample {
  make(): void
  /** Whether a sample is being made, or cannot be played yet. */
  readonly isUnderWay: boolean
  /** The sample, once the server has drawn it. */
  readonly video: Video | undefined
}

/** Makes a sample video, follows it, and opens its page as soon as it can be played. */
export function useSample(): Sample {
  const { client, channel, publisher } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const making = useMutation({
    mutationFn: async () => ({ ...(await publisher.makeSample()), channelId: channel._id }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: keyOf('videos', channel._id, 'list') }),
    onError: (error) => sayFailed(strings.first.sampleFailed, error),
  })
  // The user may have switched to another channel meanwhile.
  const id = making.data?.channelId === channel._id ? making.data._id : undefined
  const { data: video } = useQuery({
    queryKey: keyOf('videos', channel._id, 'record', id ?? ''),
    queryFn: ({ signal }) => client.videos.get(id ?? '', { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (isSettled(state.data) ? false : lookAgainMs),
  })
  const playableId = video?.playable_at ? video._id : undefined
  useEffect(() => {
    if (playableId === undefined) return
    void queries.invalidateQueries({ queryKey: keyOf('videos') })
    void navigate({ to: `/videos/${playableId}` })
  }, [playableId, navigate, queries])
  return { make: () => making.mutate(), isUnderWay: making.isPending || id !== undefined, video }
}
