import { judge } from '../../auth/sign-in.js'
import { invalid, notFound, tooMany } from '../../errors.js'
import type { Call } from '../../resources/feature.js'

/**
 * A television stands where many come by, and its token was never given for a password: whoever holds it must show the
 * password to change it, or the address. Whoever sends the password must send the right one.
 */
export async function askForPassword(call: Call, currentPassword: string | undefined): Promise<void> {
  const { parts, principal, scope, id, address } = call
  if (principal.kind !== 'consumer') return
  if (currentPassword === undefined) {
    if (await isDevice(call)) throw refused('is required, because this token was issued to a linked device')
    return
  }
  const [consumer] = await parts.database.db<{ email: string }[]>`
    select email from consumers where site_id = ${scope.site_id} and _id = ${id}
  `
  if (!consumer) throw notFound('consumer')
  const claim = {
    site_id: scope.site_id,
    app_id: principal.appId ?? '',
    ip: address,
    password: currentPassword,
  }
  const verdict = await judge(parts, { ...claim, email: consumer.email })
  if (verdict.kind === 'wait') throw tooMany(verdict.seconds)
  if (verdict.kind === 'wrong') throw refused('is wrong')
}

async function isDevice({ parts, principal, scope }: Call): Promise<boolean> {
  const [session] = await parts.database.db`
    select from sessions
    where site_id = ${scope.site_id} and _id = ${principal.sessionId ?? ''} and device_id is not null
  `
  return session !== undefined
}

const refused = (why: string) =>
  invalid(`Could not save consumer: current_password ${why}.`, { current_password: [why] })
