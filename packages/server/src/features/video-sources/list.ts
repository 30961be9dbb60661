import { sql } from '../../db/fragment.js'
import type { Answer, Call } from '../../resources/feature.js'
import { list } from '../../resources/list.js'

/** Source types that existing clients request, and that do not exist here. */
const otherKinds = new Set([
  'self_hosted',
  'zype',
  'zype_msl',
  'hulu',
  'youtube',
  'youtube_playlist',
  'youtube_video',
  'crunchyroll',
  'kaltura',
  'vimeo',
  'vimeo_pro',
])

export function listVideoSources(call: Call): Promise<Answer> {
  const { type, source, ...query } = call.query
  return otherKinds.has(String(type ?? source)) ? list({ ...call, query }, sql`false`) : list(call)
}
