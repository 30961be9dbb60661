import type { Client, Page } from '@zoetrope/sdk'
import type { Video } from '../../data/records.js'

const perPage = 100

export interface Which {
  readonly id: string
  /** The number of a first page in the channel's API. */
  readonly firstNumber: number
}

/** Fetches the first `pages` pages of a playlist as one, including hidden videos. By default, fetches all pages. */
export async function videosOf(
  client: Client,
  { id, firstNumber, pages = Number.POSITIVE_INFINITY }: Which & { readonly pages?: number },
  signal?: AbortSignal,
): Promise<Page<Video>> {
  const ask = (page?: number) =>
    client.playlists.videos(
      id,
      { per_page: perPage, active: 'all', ...(page === undefined ? {} : { page }) },
      signal === undefined ? {} : { signal },
    )
  const first = await ask()
  const response = [...first.response]
  for (let page = 1; page < Math.min(pages, first.pagination.pages); page += 1)
    response.push(...(await ask(firstNumber + page)).response)
  return { ...first, response }
}
