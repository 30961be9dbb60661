import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, restore } from '../../resources/store.js'

export async function restoreVideo({ parts, resource, scope, id }: Call) {
  const { database, sealer, freshness } = parts
  const record = await restore(database.db, sealer, resource, scope, id)
  if (!record) throw notFound(resource.name)
  freshness.touch(scope.site_id, resource.plural)
  await freshness.reschedule()
  if (!freshness.due()) return answer(record)
  // A switch that fell due while the video was away happens now.
  await freshness.settle()
  return answer((await find(database.db, sealer, resource, scope, id)) ?? record)
}
