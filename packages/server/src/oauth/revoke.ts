import { endSessionOf } from '../auth/sessions.js'
import { required } from './parameters.js'
import { type Step, settled } from './steps.js'

/** RFC 7009: the token dies with every other of its session. Nothing is said about tokens that are not this app's. */
export const revoke: Step = async ({ parts, parameters, client }) => {
  const { site_id, app_id } = settled(client)
  const token = required(parameters, 'token')
  const ended = await endSessionOf(parts.database.db, parts.sealer, { site_id, app_id, token })
  if (ended) parts.principals.forget(({ sessionId }) => sessionId === ended)
  return { answer: {} }
}
