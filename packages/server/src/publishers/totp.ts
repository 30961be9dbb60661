import { invalid } from '../errors.js'
import { newTotpSecret, totpUri } from '../lib/totp.js'
import { textIn } from './fields.js'
import { prove } from './password.js'
import type { EndpointResult, SignedIn, UserEndpoint } from './request.js'
import { makeRecoveryCodes, spendCode } from './second-factor.js'

/**
 * Creates a secret for an authenticator app. Codes are required only after one has proved that the app has
 * the secret.
 */
export async function beginTotp(visit: SignedIn): Promise<EndpointResult<{ secret: string; uri: string }>> {
  const { parts, session } = visit
  if (session.user.totp_enabled) throw invalid('Two-factor sign-in is already on. Turn it off first.')
  await prove(visit, 'password')
  const secret = newTotpSecret()
  await parts.database.db`
    update publishers set totp_secret = ${parts.sealer.seal(secret)}, totp_step = 0
    where _id = ${session.user._id} and totp_enabled_at is null
  `
  return { body: { secret, uri: totpUri(secret, session.user.email) } }
}

/** From now on signing in requires a code. */
export const enableTotp: UserEndpoint<{ recovery_codes: readonly string[] }> = async ({
  parts,
  session,
  body,
}) => {
  if (session.user.totp_enabled) throw invalid('Two-factor sign-in is already on.')
  const code = textIn(body, 'code', 20)
  if (!/^[\d\s]+$/.test(code) || !(await spendCode(parts, session.user._id, code)))
    throw invalid('This code is wrong. Is the clock of the device right?', { code: ['is wrong'] })
  const recovery_codes = await parts.database.transaction(async (tx) => {
    await tx`
      update publishers set totp_enabled_at = now(), updated_at = now()
      where _id = ${session.user._id} and totp_secret is not null
    `
    return makeRecoveryCodes(tx, parts.sealer, session.user._id)
  })
  return { body: { recovery_codes } }
}

export async function disableTotp(visit: SignedIn): Promise<EndpointResult<undefined>> {
  const { parts, session } = visit
  await prove(visit, 'password')
  await parts.database.transaction(async (tx) => {
    await tx`
      update publishers set totp_secret = null, totp_enabled_at = null, updated_at = now()
      where _id = ${session.user._id}
    `
    await tx`delete from publisher_recovery_codes where publisher_id = ${session.user._id}`
  })
  return {}
}
