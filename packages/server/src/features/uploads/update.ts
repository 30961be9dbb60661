import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { update } from '../../resources/store.js'

/** Stores the message of an upload. Its progress follows from the received bytes, and its file cannot change. */
export async function updateUpload({ parts, resource, scope, id, body }: Call) {
  const said = body.message === undefined ? {} : { message: body.message }
  const record = await update(parts.database.db, resource, scope, id, said)
  if (!record) throw notFound(resource.name)
  return answer(record)
}
