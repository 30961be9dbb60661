import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Client, Page } from '@zoetrope/sdk'
import { keyOf } from './keys.js'
import type { Video } from './records.js'
import {
  type OnProgress,
  type Settled,
  sendWrites,
  undoWrites,
  type Write,
  type WrittenEvent,
} from './send-writes.js'
import { useClient } from './session.js'

/** Shows a change in all cached lists immediately. The lists are fetched again afterwards. */
function showChange(
  queries: QueryClient,
  ids: readonly string[],
  change: (video: Video) => Video | undefined,
): void {
  const changed = new Set(ids)
  queries.setQueriesData<Page<Video>>(
    { queryKey: keyOf('videos') },
    // Single videos are cached under the same name as lists.
    (page) =>
      page?.response && {
        ...page,
        response: page.response.flatMap((video) =>
          changed.has(video._id) ? (change(video) ?? []) : [video],
        ),
      },
  )
}

/** Changes many videos at once, and undoes the changes. */
export function useChangeVideos() {
  const queries = useQueryClient()
  const client: Client = useClient()
  const settle = async <T>(changed: Promise<T>): Promise<T> => {
    const result = await changed
    await Promise.all(
      (['videos', 'events'] as const).map((name) => queries.invalidateQueries({ queryKey: keyOf(name) })),
    )
    return result
  }
  const each = (
    ids: readonly string[],
    writeOf: (id: string) => Omit<Write<string>, 'item'>,
    onProgress?: OnProgress,
  ): Promise<Settled> => {
    const writes = ids.map((item) => ({ item, ...writeOf(item) }))
    return settle(sendWrites(client, writes, onProgress && { onProgress }))
  }
  return {
    setActive(ids: readonly string[], active: boolean, onProgress?: OnProgress): Promise<Settled> {
      showChange(queries, ids, (video) => ({ ...video, active }))
      return each(
        ids,
        (id) => ({ method: 'PUT', path: `/videos/${id}`, body: { video: { active } } }),
        onProgress,
      )
    },
    remove(ids: readonly string[], onProgress?: OnProgress): Promise<Settled> {
      showChange(queries, ids, () => undefined)
      return each(ids, (id) => ({ method: 'DELETE', path: `/videos/${id}` }), onProgress)
    },
    restore: (ids: readonly string[], onProgress?: OnProgress): Promise<Settled> =>
      each(ids, (id) => ({ method: 'POST', path: `/videos/${id}/restore` }), onProgress),
    /** Deletes deleted videos for good. */
    purge: (ids: readonly string[], onProgress?: OnProgress): Promise<Settled> =>
      each(ids, (id) => ({ method: 'POST', path: `/videos/${id}/purge` }), onProgress),
    /** Undoes the events of earlier changes. */
    undo: <T>(events: readonly WrittenEvent<T>[], onProgress?: OnProgress): Promise<Settled<T>> =>
      settle(sendWrites(client, undoWrites(events), onProgress && { onProgress })),
    /** For changes made elsewhere: refetches every query that shows videos. */
    settle,
  }
}
