import { violation } from '../../db/violation.js'
import { invalid } from '../../errors.js'
import { answer } from '../../resources/standard.js'
import { find, insert } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { findVideos } from './videos.js'

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
    return answer(await insert(db, resource, scope, { video_id }))
  } catch (error) {
    if (violation(error) !== 'unique') throw error
  }
  const [kept] = await db<{ _id: string }[]>`
    select _id from video_favorites
    where site_id = ${scope.site_id} and consumer_id = ${scope.consumer_id ?? ''} and video_id = ${video_id}
  `
  return answer((await find(db, resource, scope, kept?._id ?? '')) ?? '{}')
}
