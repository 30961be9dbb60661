import type { Answer, Call } from '../../resources/feature.js'
import { readFlag } from '../../resources/filters.js'
import { project } from '../../resources/projection.js'
import { standard } from '../../resources/standard.js'
import { findVideos } from './videos.js'

/** The fields of a video that a list with details shows, besides `series_id`, which it calls `series`. */
const shown = [
  'title',
  'internal_title',
  'description',
  'short_description',
  'friendly_title',
  'published_at',
  'enable_at',
  'disable_at',
  'duration',
  'precise_duration',
  'categories',
  'season',
  'episode',
  'on_air',
  'live_event',
  'thumbnails',
] as const

const detailsOf = (video: Readonly<Record<string, unknown>>) => ({
  ...Object.fromEntries(shown.map((name) => [name, video[name] ?? null])),
  series: video.series_id ?? null,
})

interface FavoritesPage {
  readonly response: { video_id: string }[]
}

/** Lists favourites. With details=true each shows its video, or null if the caller can no longer see it. */
export async function listFavorites(call: Call): Promise<Answer | undefined> {
  const { response_fields, details, ...query } = call.query
  if (readFlag(String(details ?? '')) !== true) return standard.list(call)
  const page = await standard.list({ ...call, query })
  if (!page) return page
  const { response, ...rest } = JSON.parse(page.json.toString()) as FavoritesPage
  const videos = await findVideos(
    call,
    response.map(({ video_id }) => video_id),
  )
  const detailed = response.map((favorite) => {
    const video = videos.get(favorite.video_id)
    const video_details = video ? detailsOf(video) : null
    return JSON.parse(project({ response_fields }, JSON.stringify({ ...favorite, video_details })))
  })
  return { json: JSON.stringify({ response: detailed, ...rest }) }
}
