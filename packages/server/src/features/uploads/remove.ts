import { catalog } from '@zoetrope/contract'
import { forbidden, notFound } from '../../errors.js'
import { discardUpload, findUpload } from '../../films/uploads.js'
import type { Call } from '../../resources/feature.js'

/** Cancels an unfinished upload and deletes the received bytes. */
export async function removeUpload({ parts, resource, scope, id }: Call) {
  const { database, files, freshness } = parts
  const upload = await findUpload(database.db, id)
  if (upload?.site_id !== scope.site_id) throw notFound(resource.name)
  if (!(await discardUpload(database, files, upload)))
    throw forbidden('This upload is finished, and its file belongs to a video. Remove the video instead.')
  freshness.touch(scope.site_id, catalog.videos.plural)
  return undefined
}
