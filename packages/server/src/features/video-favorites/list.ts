import { catalog } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import { raw, run, sql } from '../../db/fragment.js'
import type { Answer, Call } from '../../resources/feature.js'
import { readFlag } from '../../resources/filters.js'
import { standard } from '../../resources/standard.js'
import { withinScope } from '../../resources/store.js'

/** The fields of a video that a list with details shows. */
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
  'series_id',
  'season',
  'episode',
  'on_air',
  'live_event',
  'thumbnails',
] as const

interface Page {
  readonly response: { video_id: string }[]
}

/** With details=true each favourite shows its video; null for one that is not published any more. */
export async function listFavorites(call: Call): Promise<Answer | undefined> {
  const answer = await standard.list(call)
  if (!answer || readFlag(String(call.query.details ?? '')) !== true) return answer
  const page = JSON.parse(answer.json.toString()) as Page
  const details = await readVideos(
    call,
    page.response.map(({ video_id }) => video_id),
  )
  const response = page.response.map((favorite) => ({
    ...favorite,
    video_details: details.get(favorite.video_id) ?? null,
  }))
  return { json: JSON.stringify({ ...page, response }) }
}

async function readVideos({ parts, principal, scope }: Call, ids: readonly string[]) {
  const { videos } = catalog
  const published = withinScope(videos, { site_id: scope.site_id }, seesHidden(principal, videos))
  const rows = await run<{ record: string }>(
    parts.database.db,
    sql`select record from ${raw(videos.plural)} where ${published} and _id = any(${ids}::text[])`,
  )
  return new Map(
    rows.map(({ record }) => {
      const video = JSON.parse(record) as Record<string, unknown>
      return [String(video._id), Object.fromEntries(shown.map((name) => [name, video[name] ?? null]))]
    }),
  )
}
