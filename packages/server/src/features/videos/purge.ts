import { invalid, notFound } from '../../errors.js'
import { purgeVideos } from '../../films/removal.js'
import { videoWith } from '../../films/status.js'
import type { Call } from '../../resources/feature.js'
import { belongs } from '../../resources/store.js'

/** Deletes a video for good. Only deleted videos, so that one wrong call cannot destroy a film. */
export async function purgeVideo({ parts, resource, scope, id }: Call) {
  const { db } = parts.database
  if ((await purgeVideos(db, videoWith(scope.site_id, id))) === 0) {
    if (!(await belongs(db, resource, scope, id))) throw notFound(resource.name)
    throw invalid('This video is not deleted. Delete it first.')
  }
  return { json: JSON.stringify({ message: 'This video is deleted for good.' }) }
}
