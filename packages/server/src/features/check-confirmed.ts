import { isConfirmed } from '../auth/publisher-sessions.js'
import { forbidden } from '../errors.js'
import type { Call } from '../resources/feature.js'

/** A session may have been left open, so a publisher in the dashboard must have given the password recently. */
export async function checkConfirmed({ parts, principal }: Pick<Call, 'parts' | 'principal'>): Promise<void> {
  const { publisherId, sessionId } = principal
  if (publisherId === undefined) return
  if (sessionId !== undefined && (await isConfirmed(parts.database.db, sessionId))) return
  throw forbidden('Confirm with your password first.', 'confirm_required')
}
