import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { restore } from '../../resources/store.js'

export async function restoreVideo({ parts, resource, scope, id }: Call) {
  const { database, sealer, freshness } = parts
  const record = await restore(database.db, sealer, resource, scope, id)
  if (!record) throw notFound(resource.name)
  await freshness.reschedule()
  freshness.touch(scope.site_id, resource.plural)
  return answer(record)
}
