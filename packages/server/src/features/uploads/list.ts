import type { Call } from '../../resources/feature.js'
import { list } from '../../resources/list.js'

/** Lists uploads. The default status is `uploading`. */
export function listUploads(call: Call) {
  const { filters, ...query } = call.query
  const given = typeof filters === 'object' && !Array.isArray(filters) ? filters : {}
  const asked = { ...given, ...query }
  return list({ ...call, query: { ...asked, status: asked.status || 'uploading' } })
}
