import type { PublisherSession, SignedInSession } from '@zoetrope/contract'
import { csrfTokenOf } from '../api/dashboard-session.js'
import { openPublisherSession } from '../auth/publisher-sessions.js'
import { judgePublisher, type KnownPublisher, rememberPublisherAddress } from '../auth/publisher-sign-in.js'
import { ApiError, tooMany } from '../errors.js'
import { optionalText, textIn } from './fields.js'
import { refusePasswords } from './oidc.js'
import type {
  Denied,
  EndpointResult,
  PublisherRequest,
  SignedIn,
  Unwritten,
  UserEndpoint,
} from './request.js'
import { spendCode } from './second-factor.js'
import { findSession, type Session } from './session-store.js'

const shown = ({ user, channels }: Session, token: string) => ({
  user,
  channels,
  csrf_token: csrfTokenOf(token),
})

export const showSession: UserEndpoint<PublisherSession> = async ({ session, token }) => ({
  body: shown(session, token),
})

const wrongPassword = () => new ApiError(401, 'The e-mail address or the password is wrong.')

/** Signs in with e-mail address and password; each sign-in opens a new session. */
export async function signIn(visit: PublisherRequest): Promise<EndpointResult<PublisherSession>> {
  refusePasswords(visit)
  const known = await recognise(visit)
  return 'status' in known ? known : enter(visit, known)
}

const codeNeeded = (message: string): Denied => ({
  status: 401,
  body: { message, code: 'totp_required', totp_required: true },
})

/** The publisher with this e-mail address and password, or what is still needed. */
export async function recognise(visit: PublisherRequest): Promise<KnownPublisher | Denied> {
  const { parts, address, body } = visit
  const claim = { email: textIn(body, 'email'), password: textIn(body, 'password', 1000), ip: address }
  const verdict = await judgePublisher(parts, claim)
  if (verdict.kind === 'wait') throw tooMany(verdict.seconds)
  if (verdict.kind === 'wrong') throw wrongPassword()
  const { publisher } = verdict
  const code = optionalText(body, 'totp', 20)
  if (!publisher.totp_enabled || (code && (await spendCode(parts, publisher._id, code)))) return publisher
  return codeNeeded(
    code ? 'This code is wrong, or was used before.' : 'Type the code of your authenticator app.',
  )
}

/** Opens a session for a publisher: a confirmed one if the password was checked, not if a link let them choose it. */
export async function enter(
  { parts, request, address }: PublisherRequest,
  publisher: KnownPublisher,
  isConfirmed = true,
): Promise<EndpointResult<PublisherSession>> {
  const { database, sealer } = parts
  const token = await database.transaction(async (tx) => {
    await rememberPublisherAddress(tx, sealer, publisher, address)
    return openPublisherSession(tx, sealer, {
      publisher_id: publisher._id,
      password_hash: publisher.password_hash,
      address,
      browser: request.headers['user-agent'] ?? '',
      isConfirmed,
    })
  })
  const session = token && (await findSession(database.db, sealer, token))
  if (!session) throw wrongPassword()
  return { body: shown(session, token), cookie: token }
}

export async function signOut({ parts, session }: SignedIn): Promise<EndpointResult<undefined>> {
  await parts.database.db`delete from publisher_sessions where _id = ${session._id}`
  parts.principals.forget(({ publisherId }) => publisherId === session.user._id)
  return { cookie: '' }
}

/** The publisher's open sessions. */
export const listSessions: UserEndpoint<readonly SignedInSession[]> = async ({ parts, session }) => {
  const body = await parts.database.db<Unwritten<SignedInSession>[]>`
    select _id, created_at, used_at as last_used_at, address, browser, _id = ${session._id} as current
    from publisher_sessions where publisher_id = ${session.user._id} and expires_at > now() order by used_at desc
  `
  return { body }
}

/** Signs out everywhere, including here. */
export async function endSessions({ parts, session }: SignedIn): Promise<EndpointResult<undefined>> {
  await parts.database.db`delete from publisher_sessions where publisher_id = ${session.user._id}`
  parts.principals.forget(({ publisherId }) => publisherId === session.user._id)
  return { cookie: '' }
}
