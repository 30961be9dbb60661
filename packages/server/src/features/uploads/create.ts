import { catalog } from '@zoetrope/contract'
import { authorOf } from '../../films/author.js'
import { beginUpload } from '../../films/uploads.js'
import { answer } from '../../resources/standard.js'
import { find } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'

/** Creates a resumable upload without tus headers. The bytes are sent with tus. */
export async function createUpload({ parts, resource, principal, scope, body }: CallOf<'uploads', 'create'>) {
  const { database, files, freshness } = parts
  const { length } = body
  const file_name = body.file_name ?? ''
  const video_id = body.video_id ?? null
  const { _id } = await beginUpload(database, files, {
    site_id: scope.site_id,
    video_id,
    length,
    file_name,
    metadata: file_name === '' ? '' : `filename ${Buffer.from(file_name).toString('base64')}`,
    hidden: false,
    created_by: authorOf(principal),
  })
  if (video_id !== null) freshness.touch(scope.site_id, catalog.videos.plural)
  return answer((await find(database.db, resource, scope, _id)) ?? '{}')
}
