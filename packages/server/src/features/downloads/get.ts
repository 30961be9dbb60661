import { ApiError } from '../../errors.js'
import { findSourceFile, signDownload } from '../../films/source-download.js'
import type { Call } from '../../resources/feature.js'
import { project } from '../../resources/projection.js'
import { answer } from '../../resources/standard.js'

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
