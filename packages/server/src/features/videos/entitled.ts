import { invalid, notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { find } from '../../resources/store.js'
import { whyNotWatch } from './may-watch.js'

/** Whether the consumer may watch; apps look at the status alone. */
export async function entitled({ parts, resource, principal, scope, id }: Call) {
  const { db } = parts.database
  const record = await find(db, parts.sealer, resource, scope, id, principal.kind === 'admin')
  if (!record) throw notFound(resource.name)
  const consumer_id = principal.consumerId ?? ''
  const refusal =
    principal.kind === 'admin'
      ? undefined
      : await whyNotWatch(db, JSON.parse(record), { site_id: scope.site_id, consumer_id })
  if (refusal) throw invalid(refusal.message)
  return { json: JSON.stringify({ message: 'This video may be watched.' }) }
}
