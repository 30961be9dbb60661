import { notFound } from '../../errors.js'
import { authorOf, signAs } from '../../films/author.js'
import { removeVideos } from '../../films/removal.js'
import { videoWith } from '../../films/status.js'
import type { Call } from '../../resources/feature.js'

/** Deletes a video and records the author in its versions. */
export async function removeVideo({ parts, resource, principal, scope, id }: Call) {
  const isRemoved = await parts.database.transaction(async (tx) => {
    await signAs(tx, authorOf(principal))
    return removeVideos(tx, videoWith(scope.site_id, id))
  })
  if (!isRemoved) throw notFound(resource.name)
  parts.freshness.touch(scope.site_id, 'videos')
  return undefined
}
