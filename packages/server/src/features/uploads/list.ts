import type { Call } from '../../resources/feature.js'
import { list } from '../../resources/list.js'

/** Those under way, unless others are asked for. */
export const listUploads = (call: Call) =>
  list({ ...call, query: { ...call.query, status: call.query.status || 'uploading' } })
