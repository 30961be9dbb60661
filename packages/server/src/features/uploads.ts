import { catalog, writableFields } from '@zoetrope/contract'
import { actorOf } from '../auth/actor.js'
import { newUploadToken } from '../auth/upload-tokens.js'
import { couldNotSave, forbidden, notFound } from '../errors.js'
import { beginUpload, discardUpload, findUpload, isVideo } from '../films/uploads.js'
import type { Call } from '../resources/feature.js'
import { list } from '../resources/list.js'
import { answer } from '../resources/standard.js'
import { find, insert, update } from '../resources/store.js'
import type { CallOf } from './call-of.js'
import { fill } from './derived.js'

/** Lists uploads. The default status is `uploading`. */
export function listUploads(call: Call) {
  const { filters, ...query } = call.query
  const given = typeof filters === 'object' && !Array.isArray(filters) ? filters : {}
  const asked = { ...given, ...query }
  return list({ ...call, query: { ...asked, status: asked.status || 'uploading' } })
}

/** Creates a resumable upload without tus headers. The bytes are sent with tus. */
export async function createUpload({ parts, resource, principal, scope, body }: CallOf<'uploads', 'create'>) {
  const { database, files } = parts
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
    created_by: actorOf(principal),
  })
  return answer((await find(database.db, resource, scope, _id)) ?? '{}')
}

/** Stores the message of an upload. Its progress follows from the received bytes, and its file cannot change. */
export async function updateUpload({ parts, resource, scope, id, body }: Call) {
  const said = body.message === undefined ? {} : { message: body.message }
  const record = await update(parts.database.db, resource, scope, id, said)
  if (!record) throw notFound(resource.name)
  return answer(record)
}

/** Cancels an unfinished upload and deletes the received bytes. */
export async function removeUpload({ parts, resource, scope, id }: Call) {
  const { database, files } = parts
  const upload = await findUpload(database.db, id)
  if (upload?.site_id !== scope.site_id) throw notFound(resource.name)
  if (!(await discardUpload(database, files, upload, parts.afterCommit)))
    throw forbidden('This upload is finished, and its file belongs to a video. Remove the video instead.')
  return undefined
}

const fallbackSeconds = 3600
const fallbackFields: readonly string[] = ['title', 'description']
const videoFields = writableFields(catalog.videos).map(([name]) => name)

/** Creates an upload token. Only this response contains it: the database stores a digest. */
export async function createUploadToken(call: CallOf<'upload_tokens', 'create'>) {
  const { parts, resource, principal, scope, body } = call
  const { database, sealer, apiUrl } = parts
  const video_id = body.video_id ?? null
  if (video_id !== null && !(await isVideo(database.db, scope.site_id, video_id))) throw notFound('video')
  const allowed_fields = body.allowed_fields ?? fallbackFields
  const unknown = allowed_fields.find((name) => !videoFields.includes(name))
  if (unknown !== undefined)
    throw couldNotSave(
      'upload token',
      'allowed_fields',
      `has ${unknown}, which is not a field of videos that can be set`,
    )
  const expires_in = body.expires_in ?? fallbackSeconds
  const token = newUploadToken()
  const record = await insert(database.db, resource, scope, {
    ...body,
    digest: sealer.digest(token),
    made_by: principal.publisherId ?? principal.keyId ?? principal.channelKeyId,
    allowed_fields,
    expires_in,
    expires_at: new Date(Date.now() + expires_in * 1000).toISOString(),
  })
  const query = `?upload_token=${token}`
  const upload_url = `${apiUrl}/uploads${query}`
  return fill(answer(record), { token, upload_url, tus_url: `${apiUrl}/uploads/tus${query}` })
}
