import { invalid } from '../errors.js'
import { newId } from '../lib/object-id.js'
import { answer } from '../resources/standard.js'
import { find } from '../resources/store.js'
import type { CallOf } from './call-of.js'
import { deriving } from './derived.js'
import { findVideos } from './video-favorites.js'

/** Rates a video that the caller may see. Replaces an earlier rating. */
export async function createRating(call: CallOf<'video_ratings', 'create'>) {
  const { parts, resource, scope, body } = call
  const { db } = parts.database
  const { video_id, rating } = body
  if (!(await findVideos(call, [video_id])).has(video_id))
    throw invalid('Could not save video_rating: there is no video with this video_id.', {
      video_id: ['is not the id of a video'],
    })
  const [kept] = await parts.database.transaction(
    (tx) => tx<{ _id: string }[]>`
      insert into video_ratings (_id, site_id, consumer_id, video_id, rating)
      values (${newId()}, ${scope.site_id}, ${scope.consumer_id ?? ''}, ${video_id}, ${rating})
      on conflict (site_id, consumer_id, video_id) do update set rating = excluded.rating, updated_at = now()
      returning _id
    `,
  )
  return answer((await find(db, resource, scope, kept?._id ?? '')) ?? '{}')
}

/** Adds the email address of the consumer to ratings. */
export const withEmail = deriving(async (ratings, { parts, scope }) => {
  const [consumer] = await parts.database.db<{ email: string }[]>`
    select email from consumers where site_id = ${scope.site_id} and _id = ${scope.consumer_id ?? ''}
  `
  return ratings.map(() => ({ consumer_email: consumer?.email ?? null }))
})
