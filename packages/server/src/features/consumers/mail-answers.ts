import { forgetAttempts } from '../../auth/attempts.js'
import { endSessions } from '../../auth/sessions.js'
import { accountBucket, addressDigest, rememberAddress } from '../../auth/sign-in.js'
import type { Db } from '../../db/database.js'
import { invalid } from '../../errors.js'
import { mailConsumer } from '../../jobs/mail-consumer.job.js'
import type { Sealer } from '../../lib/sealing.js'
import { enqueue } from '../../queue/enqueue.js'
import type { Parts } from '../../resources/feature.js'
import type { CallOf } from '../call-of.js'
import { message } from './message.js'

type Purpose = 'reset_password' | 'verify_email'

interface MailToken {
  readonly site_id: string
  readonly consumer_id: string
  readonly email: string
}

/** Finds a mailed token that has not expired. The token also identifies the channel. */
export async function findMailToken(
  db: Db,
  sealer: Sealer,
  purpose: Purpose,
  token: string,
): Promise<MailToken | undefined> {
  const [found] = await db<MailToken[]>`
    select site_id, consumer_id, email from mail_tokens
    where digest = ${sealer.digest(token)} and purpose = ${purpose} and expires_at > now()
  `
  return found
}

/**
 * Consumes a token if the consumer still has the address that it was mailed to. Deletes the consumer's other tokens for
 * this purpose.
 */
async function useMailToken(
  tx: Db,
  sealer: Sealer,
  purpose: Purpose,
  token: string,
): Promise<MailToken | undefined> {
  const found = await findMailToken(tx, sealer, purpose, token)
  if (!found) return undefined
  const { site_id, consumer_id, email } = found
  // To avoid deadlocks, locks the consumer first, as updates and deletions do.
  const [reader] = await tx`
    select from consumers where site_id = ${site_id} and _id = ${consumer_id} and email = ${email} for no key update
  `
  if (!reader) return undefined
  const { count } = await tx`delete from mail_tokens where digest = ${sealer.digest(token)}`
  if (count === 0) return undefined
  await forgetMailTokens(tx, found, purpose)
  return found
}

/** Revokes the tokens that were mailed to a consumer for this purpose. */
export async function forgetMailTokens(
  tx: Db,
  { site_id, consumer_id }: Pick<MailToken, 'site_id' | 'consumer_id'>,
  purpose: Purpose,
): Promise<void> {
  await tx`
    delete from mail_tokens
    where site_id = ${site_id} and consumer_id = ${consumer_id} and purpose = ${purpose}
  `
}

/** A new password with a mailed token. `site_id` limits it to the tokens of one channel. */
interface NewPassword {
  readonly token: string
  readonly password: string
  readonly ip: string
  readonly site_id?: string
}

/**
 * Sets a new password with a mailed token. Ends all sessions, and confirms the address, because the consumer reads its
 * mail. Returns false if the token is not valid.
 */
export async function resetPassword(
  {
    database,
    sealer,
    passwords,
    principals,
  }: Pick<Parts, 'database' | 'sealer' | 'passwords' | 'principals'>,
  { token, password, ip, site_id }: NewPassword,
): Promise<boolean> {
  const found = await findMailToken(database.db, sealer, 'reset_password', token)
  if (!found || (site_id && found.site_id !== site_id)) return false
  const password_hash = await passwords.hash(password)
  const used = await database.transaction(async (tx) => {
    const mail = await useMailToken(tx, sealer, 'reset_password', token)
    if (!mail) return undefined
    await tx`
      update consumers set password_hash = ${password_hash}, password_token_digest = null, updated_at = now(),
        email_verified_at = coalesce(email_verified_at, now())
      where site_id = ${mail.site_id} and _id = ${mail.consumer_id}
    `
    await endSessions(tx, mail.site_id, mail.consumer_id)
    // Reading the mail proves identity, so an attack on the account must not block this address.
    await rememberAddress(tx, mail, addressDigest(sealer, mail.site_id, mail.email, ip))
    await enqueue(tx, mailConsumer, { ...mail, purpose: 'password_changed' })
    return mail
  })
  if (!used) return false
  principals.forget(({ consumerId }) => consumerId === used.consumer_id)
  await forgetAttempts(database.db, sealer, [accountBucket(used.site_id, used.email).key])
  return true
}

/** Confirms an address with a mailed token. Returns false if the token is not valid or the address has changed. */
export async function verifyEmail(
  { database, sealer }: Pick<Parts, 'database' | 'sealer'>,
  token: string,
  site_id?: string,
): Promise<boolean> {
  const found = await findMailToken(database.db, sealer, 'verify_email', token)
  if (!found || (site_id && found.site_id !== site_id)) return false
  return database.transaction(async (tx) => {
    const used = await useMailToken(tx, sealer, 'verify_email', token)
    if (!used) return false
    await tx`
      update consumers set email_verified_at = coalesce(email_verified_at, now()), updated_at = now()
      where site_id = ${used.site_id} and _id = ${used.consumer_id}
    `
    return true
  })
}

const expired = (field: string) =>
  invalid('This token has expired or was used already. Ask for a new mail.', {
    [field]: ['has expired or was used already'],
  })

export async function resetPasswordAction(call: CallOf<'consumers', 'reset_password'>) {
  const { parts, scope, body, address } = call
  const { password, password_token } = body
  const wanted = { token: password_token, password, ip: address, site_id: scope.site_id }
  if (!(await resetPassword(parts, wanted))) throw expired('password_token')
  return message('The password is changed. Sign in with the new one.')
}

export async function verifyEmailAction({ parts, scope, body }: CallOf<'consumers', 'verify_email'>) {
  const { verification_token } = body
  if (!(await verifyEmail(parts, verification_token, scope.site_id))) throw expired('verification_token')
  return message('The address is confirmed.')
}
