import { replacePassword } from '../auth/publisher-passwords.js'
import { judgePublisher, type KnownPublisher } from '../auth/publisher-sign-in.js'
import { forbidden, invalid, invalidParameter, tooMany } from '../errors.js'
import { textIn } from './fields.js'
import type { EndpointResult, SignedIn } from './request.js'

const shortest = 8
const longest = 200

/** A newly chosen password. */
export function newPasswordIn(body: SignedIn['body']): string {
  const password = textIn(body, 'password', longest)
  if (password.length >= shortest) return password
  throw invalidParameter('password', `has at least ${shortest} characters`)
}

/** Checks that the same person is still at the keyboard. The session then counts as confirmed for some minutes. */
export async function prove(visit: Omit<SignedIn, 'token'>, field: string): Promise<KnownPublisher> {
  const { parts, address, body, session } = visit
  if (!session.user.has_password)
    throw forbidden('Your account has no password. Sign in again with your identity provider.', 'no_password')
  const password = textIn(body, field, 1000)
  const verdict = await judgePublisher(parts, { email: session.user.email, password, ip: address })
  if (verdict.kind === 'wait') throw tooMany(verdict.seconds)
  if (verdict.kind === 'wrong')
    throw invalid('This is not your password.', { [field]: ['is not your password'] })
  await parts.database.db`update publisher_sessions set confirmed_at = now() where _id = ${session._id}`
  return verdict.publisher
}

/** Changing the password ends all other sessions. */
export async function changePassword(visit: SignedIn): Promise<EndpointResult<{ message: string }>> {
  const { parts, body, session } = visit
  const password = newPasswordIn(body)
  const { password_hash: replaces } = await prove(visit, 'current_password')
  const password_hash = await parts.passwords.hash(password)
  const change = { publisher_id: session.user._id, password_hash, replaces, kept_session: session._id }
  const isChanged = await parts.database.transaction((tx) => replacePassword(tx, change))
  parts.principals.forget(({ publisherId }) => publisherId === session.user._id)
  if (!isChanged) throw invalid('The password was changed elsewhere meanwhile. Sign in again.')
  await visit.dropPassword(session.user.email, session.user.email)
  return { body: { message: 'The password is changed. All other sessions have ended.' } }
}

export async function confirm(visit: SignedIn): Promise<EndpointResult<undefined>> {
  await prove(visit, 'password')
  return {}
}
