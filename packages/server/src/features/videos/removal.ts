import { sql } from '../../db/fragment.js'
import { invalid, notFound } from '../../errors.js'
import { followFormatsOf } from '../../films/formats.js'
import { purgeVideos, removeVideos, restoreNamed, restoreVideos } from '../../films/removal.js'
import { videoWith } from '../../films/status.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { belongs, find } from '../../resources/store.js'

/** Deletes a video. Its row is kept for some days. */
export async function removeVideo({ parts, resource, scope, id }: Call) {
  const isRemoved = await parts.database.transaction((tx) => removeVideos(tx, videoWith(scope.site_id, id)))
  if (!isRemoved) throw notFound(resource.name)
  return undefined
}

export async function restoreVideo({ parts, resource, scope, id }: Call) {
  const { database, freshness } = parts
  const choose = async () => [id]
  const record = await restoreNamed(database, scope, choose, async (tx) => {
    const isKept = sql`deleted_at > now() - make_interval(days => ${resource.keptDays ?? 0})`
    const restored = await restoreVideos(tx, sql`${videoWith(scope.site_id, id)} and ${isKept}`)
    if (restored === 0) throw notFound(resource.name)
    // Formats may have been turned on or off meanwhile.
    await followFormatsOf(tx, scope.site_id, id)
    return (await find(tx, resource, scope, id)) ?? ''
  })
  await freshness.reschedule()
  return answer(record)
}

/** Deletes a video for good. Only deleted videos, so that one wrong call cannot destroy a film. */
export async function purgeVideo({ parts, resource, scope, id }: Call) {
  const { db } = parts.database
  if ((await purgeVideos(db, videoWith(scope.site_id, id))) === 0) {
    if (!(await belongs(db, resource, scope, id))) throw notFound(resource.name)
    throw invalid('This video is not deleted. Delete it first.')
  }
  return { json: JSON.stringify({ message: 'This video is deleted for good.' }) }
}
