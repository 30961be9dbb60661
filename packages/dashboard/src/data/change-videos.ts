import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Client, Page } from '@zoetrope/sdk'
import { keyOf } from './keys.js'
import type { Video } from './records.js'
import { useClient } from './session.js'

/** The number of concurrent requests. */
const together = 4

export interface Settled<T = string> {
  readonly done: readonly T[]
  readonly failures: readonly Failure<T>[]
}

export interface Failure<T> {
  readonly item: T
  readonly error: unknown
}

type Progress = (done: number, all: number) => void

/** Runs a function for each item, a few at a time. Returns which items succeeded and which failed. */
export async function forEach<T>(
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
  onProgress: Progress = () => undefined,
): Promise<Settled<T>> {
  const waiting = items.values()
  const done: T[] = []
  const failures: Failure<T>[] = []
  const work = async () => {
    for (const item of waiting) {
      await run(item).then(
        () => done.push(item),
        (error: unknown) => failures.push({ item, error }),
      )
      onProgress(done.length + failures.length, items.length)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  return { done, failures }
}

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
    await queries.invalidateQueries({ queryKey: keyOf('videos') })
    return result
  }
  return {
    setActive(ids: readonly string[], active: boolean, onProgress?: Progress): Promise<Settled> {
      showChange(queries, ids, (video) => ({ ...video, active }))
      return settle(forEach(ids, (id) => client.videos.update(id, { active }), onProgress))
    },
    remove(ids: readonly string[], onProgress?: Progress): Promise<Settled> {
      showChange(queries, ids, () => undefined)
      return settle(forEach(ids, (id) => client.videos.remove(id), onProgress))
    },
    restore: (ids: readonly string[], onProgress?: Progress): Promise<Settled> =>
      settle(forEach(ids, (id) => client.videos.restore(id), onProgress)),
    /** Deletes deleted videos for good. */
    purge: (ids: readonly string[], onProgress?: Progress): Promise<Settled> =>
      settle(forEach(ids, (id) => client.videos.purge(id), onProgress)),
    /** For changes made elsewhere: refetches every query that shows videos. */
    settle,
  }
}
