import type { Db } from '../../db/database.js'
import { notFound } from '../../errors.js'
import { authorOf, signAs } from '../../films/author.js'
import { followFormatsOf } from '../../films/formats.js'
import { restoreNamed } from '../../films/restore-titles.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, restore } from '../../resources/store.js'

export async function restoreVideo({ parts, resource, principal, scope, id }: Call) {
  const { database, freshness } = parts
  const sign = async (tx: Db) => {
    await signAs(tx, authorOf(principal))
    return [id]
  }
  const record = await restoreNamed(database, scope, sign, async (tx) => {
    if (!(await restore(tx, resource, scope, id))) throw notFound(resource.name)
    // Formats may have been turned on or off meanwhile.
    await followFormatsOf(tx, scope.site_id, id)
    return (await find(tx, resource, scope, id)) ?? ''
  })
  freshness.touch(scope.site_id, 'videos')
  await freshness.reschedule()
  if (!freshness.due()) return answer(record)
  // A switch that fell due while the video was away happens now.
  await freshness.settle()
  return answer((await find(database.db, resource, scope, id)) ?? record)
}
