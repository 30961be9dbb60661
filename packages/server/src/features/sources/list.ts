import { catalog } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import { notFound } from '../../errors.js'
import type { Answer, Call } from '../../resources/feature.js'
import { standard } from '../../resources/standard.js'
import { find } from '../../resources/store.js'

const { videos } = catalog

/** Lists the sources of a video. Throws 404 if the caller may not see the video. */
export async function listSources(call: Call): Promise<Answer | undefined> {
  const { parts, scope, principal } = call
  const { site_id, video_id = '' } = scope
  const isSeen = seesHidden(principal, videos)
  const video = await find(parts.database.db, videos, { site_id }, video_id, isSeen)
  if (!video) throw notFound(videos.name)
  return standard.list(call)
}
