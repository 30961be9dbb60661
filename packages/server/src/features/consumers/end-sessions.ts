import { endSessions } from '../../auth/sessions.js'
import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { belongs } from '../../resources/store.js'
import { message } from './message.js'

export async function endAllSessions({ parts, resource, scope, id }: Call) {
  const { database, principals } = parts
  if (!(await belongs(database.db, resource, scope, id))) throw notFound(resource.name)
  await database.transaction((tx) => endSessions(tx, scope.site_id, id))
  principals.forget(({ consumerId }) => consumerId === id)
  return message('Every session has ended.')
}
