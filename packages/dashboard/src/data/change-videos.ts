import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Client, Page } from '@zoetrope/sdk'
import type { Video } from './records.js'
import { useClient } from './session.js'

/** At the same time; the server has others to serve. */
const together = 4

type Settled = { readonly done: readonly string[]; readonly failures: readonly unknown[] }

/** Does something for each id, a few at a time, and tells for which it worked. */
async function forEach(ids: readonly string[], run: (id: string) => Promise<unknown>): Promise<Settled> {
  const waiting = [...ids]
  const done: string[] = []
  const failures: unknown[] = []
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const current = id
      await run(current).then(
        () => done.push(current),
        (error: unknown) => failures.push(error),
      )
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  return { done, failures }
}

/** Shows a change in all lists at once; the lists are fetched again afterwards anyway. */
function showChange(
  queries: QueryClient,
  ids: readonly string[],
  change: (video: Video) => Video | undefined,
): void {
  queries.setQueriesData<Page<Video>>(
    { queryKey: ['videos'] },
    (page) =>
      page && {
        ...page,
        response: page.response.flatMap((video) =>
          ids.includes(video._id) ? (change(video) ?? []) : [video],
        ),
      },
  )
}

/** Changes to many videos at once, each with its way back. */
export function useChangeVideos() {
  const queries = useQueryClient()
  const client: Client = useClient()
  const settle = async (changed: Promise<Settled>): Promise<Settled> => {
    const result = await changed
    await queries.invalidateQueries({ queryKey: ['videos'] })
    await queries.invalidateQueries({ queryKey: ['video'] })
    return result
  }
  return {
    setActive(ids: readonly string[], active: boolean): Promise<Settled> {
      showChange(queries, ids, (video) => ({ ...video, active }))
      return settle(forEach(ids, (id) => client.videos.update(id, { active })))
    },
    remove(ids: readonly string[]): Promise<Settled> {
      showChange(queries, ids, () => undefined)
      return settle(forEach(ids, (id) => client.videos.remove(id)))
    },
    restore: (ids: readonly string[]): Promise<Settled> =>
      settle(forEach(ids, (id) => client.videos.restore(id))),
  }
}
