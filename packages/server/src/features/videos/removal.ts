import { authorOf } from '../../auth/actor.js'
import type { Db } from '../../db/database.js'
import { sql } from '../../db/fragment.js'
import { notFound } from '../../errors.js'
import { signAs } from '../../films/author.js'
import { followFormatsOf } from '../../films/formats.js'
import { removeVideos, restoreNamed, restoreVideos } from '../../films/removal.js'
import { videoWith } from '../../films/status.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find } from '../../resources/store.js'

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

export async function restoreVideo({ parts, resource, principal, scope, id }: Call) {
  const { database, freshness } = parts
  const sign = async (tx: Db) => {
    await signAs(tx, authorOf(principal))
    return [id]
  }
  const record = await restoreNamed(database, scope, sign, async (tx) => {
    const isKept = sql`deleted_at > now() - make_interval(days => ${resource.keptDays ?? 0})`
    const restored = await restoreVideos(tx, sql`${videoWith(scope.site_id, id)} and ${isKept}`)
    if (restored === 0) throw notFound(resource.name)
    // Formats may have been turned on or off meanwhile.
    await followFormatsOf(tx, scope.site_id, id)
    return (await find(tx, resource, scope, id)) ?? ''
  })
  freshness.touch(scope.site_id, 'videos')
  await freshness.reschedule()
  return answer(record)
}
