import { judge } from '../../auth/sign-in.js'
import { couldNotSave, notFound, tooMany } from '../../errors.js'
import type { Call } from '../../resources/feature.js'

/** The changes of an update to the consumer's sign-in. */
interface Change {
  readonly currentPassword: string | undefined
  readonly password: string | undefined
  readonly email: unknown
}

/**
 * Requires the current password to change the address or, on a linked device, the password. A token can be stolen, and
 * guests can use a television; changing the address would take over the account. If the current password is sent, it
 * must be correct.
 */
export async function askForPassword(call: Call, change: Change): Promise<void> {
  if (call.principal.kind !== 'consumer') return
  const consumer = await readConsumer(call)
  const moves = change.email !== undefined && change.email !== consumer.email
  if (!moves && change.password === undefined) return
  if (change.currentPassword !== undefined) return checkPassword(call, consumer.email, change.currentPassword)
  if (moves) throw couldNotSave('consumer', 'current_password', 'is required to change the e-mail address')
  if (consumer.on_device)
    throw couldNotSave(
      'consumer',
      'current_password',
      'is required, because this token was issued to a linked device',
    )
}

async function readConsumer({ parts, principal, scope, id }: Call) {
  const [consumer] = await parts.database.db<{ email: string; on_device: boolean }[]>`
    select email, exists (
      select from sessions
      where sessions.site_id = consumers.site_id and sessions._id = ${principal.sessionId ?? ''}
        and device_id is not null
    ) as on_device
    from consumers where site_id = ${scope.site_id} and _id = ${id}
  `
  if (!consumer) throw notFound('consumer')
  return consumer
}

async function checkPassword({ parts, principal, scope, address }: Call, email: string, password: string) {
  const claim = { site_id: scope.site_id, app_id: principal.appId ?? '', ip: address }
  const verdict = await judge(parts, { ...claim, email, password })
  if (verdict.kind === 'wait') throw tooMany(verdict.seconds)
  if (verdict.kind === 'wrong') throw couldNotSave('consumer', 'current_password', 'is wrong')
}
