import { catalog } from '@zoetrope/contract'
import { seesHidden } from '../auth/access.js'
import { ApiError, notFound } from '../errors.js'
import { findSourceFile, signDownload } from '../films/source-download.js'
import type { Answer, Call } from '../resources/feature.js'
import { project } from '../resources/projection.js'
import { answer, standard } from '../resources/standard.js'
import { find } from '../resources/store.js'

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

const lifetimeMs = 3_600_000

/** Returns a signed URL for the source file of a video, whether or not its encoding has finished or failed. */
export async function getDownload({ parts, scope, query }: Call) {
  const { database, sealer, playerUrl } = parts
  const { site_id, video_id = '' } = scope
  const file = await findSourceFile(database.db, site_id, video_id)
  if (!file) throw new ApiError(404, 'This video has no file to download.')
  const expires = Date.now() + lifetimeMs
  const token = signDownload(sealer, { site_id, video_id, source_id: file._id, expires })
  const record = {
    _id: file._id,
    site_id,
    created_at: file.created_at,
    updated_at: file.updated_at,
    url: `${playerUrl}/downloads/${token}`,
    filesize: file.bytes,
    file_name: file.name,
    content_type: file.type,
    expires_at: new Date(expires),
  }
  return answer(project(query, JSON.stringify(record)))
}
