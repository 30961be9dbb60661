import type { Db } from '../db/database.js'

/** A new password of a publisher, and what it leaves in place. */
export interface PasswordChange {
  readonly publisher_id: string
  /** Null for an account that has no password from now on. */
  readonly password_hash: string | null
  /** A new e-mail address, set together with the password. */
  readonly email?: string
  /** The hash that the current password was checked against. If it has changed since, nothing is done. */
  readonly replaces?: string
  /** The session in which the publisher proved who they are. All others end. */
  readonly kept_session?: string
  /** Turns the authenticator app off, with its recovery codes. */
  readonly removesSecondFactor?: boolean
}

/**
 * Replaces a publisher's password, and ends all that the old one has opened: sessions, and links sent by mail. Returns false
 * if there is no such publisher, or their password is no longer the one to replace. The caller also calls
 * `principals.forget`, for the sessions in memory.
 */
export async function replacePassword(
  tx: Db,
  { publisher_id, password_hash, email, replaces, kept_session, removesSecondFactor }: PasswordChange,
): Promise<boolean> {
  const columns = {
    password_hash,
    ...(email === undefined ? {} : { email }),
    ...(removesSecondFactor ? { totp_secret: null, totp_enabled_at: null } : {}),
  }
  const { count } = await tx`
    update publishers set ${tx(columns)}, password_changed_at = now(), updated_at = now()
    where _id = ${publisher_id} ${replaces === undefined ? tx`` : tx`and password_hash = ${replaces}`}
  `
  if (count === 0) return false
  await tx`
    delete from publisher_sessions
    where publisher_id = ${publisher_id} ${kept_session === undefined ? tx`` : tx`and _id <> ${kept_session}`}
  `
  await tx`delete from sign_in_links where publisher_id = ${publisher_id}`
  if (removesSecondFactor) await tx`delete from publisher_recovery_codes where publisher_id = ${publisher_id}`
  return true
}
