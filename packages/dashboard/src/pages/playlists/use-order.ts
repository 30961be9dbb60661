import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Page } from '@zoetrope/sdk'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { offerUndo, sayDone, sayFailed } from '../../ui/notices.js'
import { strings } from './strings.js'
import { videosOf, type Which } from './videos-of.js'

/** The same list with one item moved. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, index) => index !== from)
  const item = items[from]
  return item === undefined ? [...items] : [...rest.slice(0, to), item, ...rest.slice(to)]
}

interface NewOrder {
  readonly videos: readonly Video[]
  /** The first position that differs from the previous order. */
  readonly from: number
  readonly until: number
}

interface TakenOut {
  readonly video: Video
  readonly place: number
}

/** Changes the videos of a playlist and their order. The page shows each change immediately. */
export function useOrder(which: Which, queryKey: readonly unknown[]) {
  const { id } = which
  const { client } = useSession()
  const queries = useQueryClient()
  // Requests run one after the other, so that the last order wins.
  const turn = { mutationKey: ['order', id], scope: { id: `order ${id}` } }
  const settle = async () => {
    if (queries.isMutating({ mutationKey: turn.mutationKey }) > 1) return
    await Promise.all([
      queries.invalidateQueries({ queryKey }),
      queries.invalidateQueries({ queryKey: keyOf('playlists') }),
    ])
  }
  const show = async (change: (videos: readonly Video[]) => readonly Video[]) => {
    queries.setQueryData<Page<Video>>(
      queryKey,
      (page) => page && { ...page, response: [...change(page.response)] },
    )
    // A fetch that is running would bring back the old order.
    await queries.cancelQueries({ queryKey })
  }
  /** Puts a video back at its old position, and moves the ones after it, shown or not, down. */
  const putBack = async ({ video, place }: TakenOut) => {
    await client.playlists.addVideos(id, { video_id: [video._id] })
    const all = (await videosOf(client, which)).response.map(({ _id }) => _id)
    await client.playlists.orderVideos(id, {
      video_id: moved(all, all.indexOf(video._id), place).slice(place),
    })
  }
  const ordering = useMutation({
    ...turn,
    // Sends only the videos whose position changes.
    mutationFn: ({ videos, from, until }: NewOrder) =>
      client.playlists.orderVideos(id, { video_id: videos.slice(from, until).map(({ _id }) => _id) }),
    onMutate: ({ videos }: NewOrder) => show(() => videos),
    onError: (error) => sayFailed(strings.notMoved, error),
    onSettled: settle,
  })
  const adding = useMutation({
    ...turn,
    mutationFn: (video_id: string[]) => client.playlists.addVideos(id, { video_id }),
    onSuccess: () => sayDone(strings.added),
    onError: (error) => sayFailed(strings.notAdded, error),
    onSettled: settle,
  })
  const removing = useMutation({
    ...turn,
    mutationFn: ({ video }: TakenOut) => client.playlists.removeVideos(id, { video_id: [video._id] }),
    onMutate: ({ video }) => show((videos) => videos.filter(({ _id }) => _id !== video._id)),
    onSuccess: (_page, taken) =>
      offerUndo(strings.removed(taken.video.title), () => {
        void putBack(taken).then(settle, (error: unknown) => sayFailed(strings.notAdded, error))
      }),
    onError: (error) => sayFailed(strings.notRemoved, error),
    onSettled: settle,
  })
  return { order: ordering.mutate, add: adding.mutateAsync, remove: removing.mutate }
}

export type Order = ReturnType<typeof useOrder>
