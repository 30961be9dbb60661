import { catalog } from '@zoetrope/contract'
import { seesHidden } from '../auth/access.js'
import { raw } from '../db/fragment.js'
import { violation } from '../db/violation.js'
import { invalid } from '../errors.js'
import type { Call } from '../resources/feature.js'
import { flagIn } from '../resources/projection.js'
import { answer, standard } from '../resources/standard.js'
import { find, insert, withinScope } from '../resources/store.js'
import type { CallOf } from './call-of.js'
import { deriving, ifAsked } from './derived.js'

/** Adds a video to the favourites. If it is one already, returns the existing record. */
export async function createFavorite(call: CallOf<'video_favorites', 'create'>) {
  const { parts, resource, scope, body } = call
  const { database } = parts
  const { db } = database
  const { video_id } = body
  if (!(await findVideos(call, [video_id])).has(video_id))
    throw invalid('Could not save video_favorite: there is no video with this video_id.', {
      video_id: ['is not the id of a video'],
    })
  try {
    return answer(await database.transaction((tx) => insert(tx, resource, scope, { video_id })))
  } catch (error) {
    if (violation(error) !== 'unique') throw error
  }
  const [kept] = await db<{ _id: string }[]>`
    select _id from video_favorites
    where site_id = ${scope.site_id} and consumer_id = ${scope.consumer_id ?? ''} and video_id = ${video_id}
  `
  return answer((await find(db, resource, scope, kept?._id ?? '')) ?? '{}')
}

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

/** With details=true, favourites show their videos, or null if the caller can no longer see them. */
export const listFavorites = ifAsked(
  ({ query }) => flagIn(query, 'details'),
  deriving<{ readonly video_id: string }>(async (favorites, call) => {
    const ids = favorites.map(({ video_id }) => video_id)
    const found = await findVideos(call, ids)
    return ids.map((id) => {
      const video = found.get(id)
      return { video_details: video ? detailsOf(video) : null }
    })
  }),
)(standard.list)

const { videos } = catalog

/** Returns the records of those videos that the caller may see now, by id. */
export async function findVideos(
  { parts, principal, scope }: Call,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  // Apply due switches first. A run in progress may have started before the newest was due, hence two rounds.
  for (let round = 0; round < 2 && parts.freshness.due(); round += 1) await parts.freshness.settle()
  const seen = withinScope(videos, { site_id: scope.site_id }, seesHidden(principal, videos))
  const rows = await parts.database.db<{ _id: string; record: string }[]>`
    select _id, record from ${raw(videos.plural)} where ${seen} and _id = any(${ids}::text[])
  `
  return new Map(rows.map(({ _id, record }) => [_id, JSON.parse(record)]))
}
