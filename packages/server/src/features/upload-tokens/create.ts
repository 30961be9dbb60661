import { newUploadToken } from '../../auth/upload-tokens.js'
import { notFound } from '../../errors.js'
import { isVideo } from '../../films/uploads.js'
import { fill } from '../../resources/derived.js'
import { answer } from '../../resources/standard.js'
import { insert } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'

const fallbackSeconds = 3600

/** Creates an upload token. Only this response contains it: the database stores a digest. */
export async function createUploadToken({ parts, resource, scope, body }: CallOf<'upload_tokens', 'create'>) {
  const { database, sealer, apiUrl } = parts
  const video_id = body.video_id ?? null
  if (video_id !== null && !(await isVideo(database.db, scope.site_id, video_id))) throw notFound('video')
  const expires_in = body.expires_in ?? fallbackSeconds
  const token = newUploadToken()
  const record = await insert(database.db, resource, scope, {
    ...body,
    digest: sealer.digest(token),
    expires_in,
    expires_at: new Date(Date.now() + expires_in * 1000).toISOString(),
  })
  const query = `?upload_token=${token}`
  const upload_url = `${apiUrl}/uploads${query}`
  return fill(answer(record), { token, upload_url, tus_url: `${apiUrl}/uploads/tus${query}` })
}
