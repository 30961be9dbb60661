import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { update } from '../../resources/store.js'

/** Keeps what a program says about its upload. How far it is follows from the bytes that are here, and its file stays the one it was begun with. */
export async function updateUpload({ parts, resource, scope, id, body }: Call) {
  const said = body.message === undefined ? {} : { message: body.message }
  const record = await update(parts.database.db, resource, scope, id, said)
  if (!record) throw notFound(resource.name)
  return answer(record)
}
