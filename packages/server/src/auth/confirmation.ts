import { needsConfirmation, type Resource } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { forbidden } from '../errors.js'
import type { Principal } from './principals.js'
import { isConfirmed } from './publisher-sessions.js'

export const confirmRequired = () => forbidden('Confirm with your password first.', 'confirm_required')

/** A session may have been left open, so some things need a publisher who gave the password recently. The contract names them. */
export async function checkConfirmed(
  db: Db,
  { publisherId, sessionId = '' }: Principal,
  resource: Resource,
  operation: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (publisherId === undefined || !needsConfirmation(resource, operation, body)) return
  if (!(await isConfirmed(db, sessionId))) throw confirmRequired()
}
