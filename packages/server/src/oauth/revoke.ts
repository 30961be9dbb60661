import { endSessionOf } from '../auth/sessions.js'
import { required } from './parameters.js'
import { settled, type TokenStep } from './steps.js'

/** RFC 7009: revokes the token with its whole session. Tokens of other apps are ignored without an error. */
export const revoke: TokenStep = async ({ parts, parameters, client }) => {
  const { site_id, app_id } = settled(client)
  const token = required(parameters, 'token')
  const ended = await endSessionOf(parts.database.db, parts.sealer, { site_id, app_id, token })
  if (ended) parts.principals.forget(({ sessionId }) => sessionId === ended)
  return { answer: {} }
}
