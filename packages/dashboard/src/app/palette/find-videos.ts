import type { Client } from '@zoetrope/sdk'
import { type FoundVideo, otherMatch } from '../../data/search-videos.js'
import { clock } from '../../ui/numbers.js'

interface VideoChoice {
  readonly video: FoundVideo
  /** The text that has the words, if the title has not. */
  readonly words?: string | undefined
  /** The second at which a line of a subtitle has them. */
  readonly time?: number | undefined
}

interface VideoChoices {
  readonly videos: readonly VideoChoice[]
  /** The words that were searched for, if misspelt ones were corrected. */
  readonly corrected: string | undefined
}

/** Finds videos by their titles and keywords first, and then by all their texts. */
export async function findVideos(
  client: Client,
  search: string,
  most: number,
  signal: AbortSignal,
): Promise<VideoChoices> {
  const query = { active: 'all', per_page: most } as const
  const [named, found] = await Promise.all([
    client.videos.list({ ...query, q: search }, { signal }),
    client.videos.list({ ...query, search }, { signal }),
  ])
  const names = new Set(named.response.map(({ _id }) => _id))
  const others = found.response.filter(({ _id }) => !names.has(_id))
  return {
    videos: [...named.response.map((video) => ({ video })), ...others.map(choiceOf)].slice(0, most),
    corrected: found.search && found.search.searched !== search ? found.search.searched : undefined,
  }
}

function choiceOf(video: FoundVideo): VideoChoice {
  const match = video.matches?.[0]?.field === 'title' ? undefined : otherMatch(video)
  if (!match) return { video }
  const text = match.parts.map((part) => part.text).join('')
  if (match.time === null) return { video, words: text }
  return { video, words: `${clock(match.time)} ${text}`, time: Math.floor(match.time) }
}
