import type { SignInMethods } from '@zoetrope/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../api/brackets.js'
import { cookieIn, refuseForeign, sessionCookie, sessionToken } from '../api/dashboard-session.js'
import { admitIdentity, type Identity } from '../auth/identity-accounts.js'
import { bucketFrom, takeOrRefuse } from '../auth/limits.js'
import { openPublisherSession } from '../auth/publisher-sessions.js'
import { forbidden } from '../errors.js'
import type { Parts } from '../resources/feature.js'
import { type Departure, type IdentityProvider, SignInFailed } from './identity-provider.js'
import type { DropPassword, OpenEndpoint, PublisherRequest } from './request.js'

/** How publishers can sign in, for the sign-in page. */
export const showSignIn: OpenEndpoint<SignInMethods> = async ({ parts, provider }) => ({
  body: {
    provider: provider?.name ?? null,
    passwords: provider?.allowsPasswords ?? true,
    mail: parts.canMail,
    is_new: await isNew(parts),
  },
})

/** Whether nobody has signed in yet. */
async function isNew({ database }: Parts): Promise<boolean> {
  return (await database.db`select from publishers where sign_in_count > 0 limit 1`).length === 0
}

export function refusePasswords({ provider }: PublisherRequest): void {
  if (provider && !provider.allowsPasswords)
    throw forbidden(`Sign in with ${provider.name}. Passwords are turned off on this server.`, 'no_passwords')
}

const waitingCookie = 'zoetrope_oidc'
const root = '/dashboard/oidc'
/** How long somebody may take at the provider. */
const waitingSeconds = 900

interface Waiting extends Departure {
  readonly purpose: 'oidc'
  readonly path: string
  readonly until: number
}

interface OidcParts {
  readonly parts: Parts
  readonly dropPassword: DropPassword
}

/** The two addresses that a browser visits on its way to the identity provider and back. */
export function addOidc(app: FastifyInstance, surroundings: OidcParts, provider: IdentityProvider): void {
  const { parts } = surroundings
  const isSecure = parts.apiUrl.startsWith('https:')
  const waiting = (value: string, seconds: number) =>
    `${waitingCookie}=${value}; Path=${root}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const leave = (reply: FastifyReply, address: string, ...cookies: string[]) =>
    reply.header('cache-control', 'no-store').header('set-cookie', cookies).redirect(address, 303)
  const explain = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    if (!(error instanceof SignInFailed)) throw error
    if (error.cause) request.log.warn({ err: error.cause }, 'Sign-in with the identity provider failed')
    return leave(reply, `/dashboard?problem=${error.problem}`, waiting('', 0))
  }

  app.get(root, async (request, reply) => {
    refuseForeign(request)
    const { path, confirm } = queryOf(request)
    await takeOrRefuse(parts, bucketFrom('sign_in_elsewhere', request.ip))
    try {
      const { address, departure } = await provider.begin(confirm === 'true')
      const kept: Waiting = {
        purpose: 'oidc',
        ...departure,
        path: pathIn(path),
        until: Date.now() + waitingSeconds * 1000,
      }
      const sealed = parts.sealer.seal(JSON.stringify(kept)).toString('base64url')
      return leave(reply, address, waiting(sealed, waitingSeconds))
    } catch (error) {
      return explain(request, reply, error)
    }
  })

  app.get(`${root}/callback`, async (request, reply) => {
    await takeOrRefuse(parts, bucketFrom('sign_in_elsewhere', request.ip))
    try {
      const kept = keptIn(parts, request)
      const identity = await provider.finish(request.url.split('?', 2)[1] ?? '', kept)
      const token = await enterAs(surroundings, request, identity, kept)
      return leave(reply, `/dashboard${kept.path}`, waiting('', 0), sessionCookie(token, isSecure))
    } catch (error) {
      return explain(request, reply, error)
    }
  })
}

/** A page of the dashboard to return to. Anything else leads to its first page. */
const pathIn = (path: unknown): string =>
  typeof path === 'string' && /^\/(?![/\\])[\w\-./?=&%:+,~]{0,1000}$/.test(path) ? path : ''

/** Reads the cookie. It proves that the same browser began this sign-in. */
function keptIn({ sealer }: Parts, request: FastifyRequest): Waiting {
  try {
    const sealed = Buffer.from(cookieIn(request.headers, waitingCookie) ?? '', 'base64url')
    const kept: Waiting = JSON.parse(sealer.unseal(sealed))
    if (kept.purpose === 'oidc' && kept.until > Date.now()) return kept
  } catch {
    // A cookie that this server has not sealed is ignored.
  }
  throw new SignInFailed('expired')
}

/** Opens a session that replaces the browser's earlier one. */
async function enterAs(
  { parts, dropPassword }: OidcParts,
  request: FastifyRequest,
  identity: Identity,
  { isConfirmation }: Waiting,
): Promise<string> {
  const { database, sealer, principals } = parts
  const earlier = sessionToken(request.headers)
  const admitted = await database.transaction(async (tx) => {
    const publisher = await admitIdentity(tx, identity)
    if (typeof publisher === 'string') return publisher
    if (earlier) await tx`delete from publisher_sessions where digest = ${sealer.digest(earlier)}`
    const token = await openPublisherSession(tx, sealer, {
      publisher_id: publisher._id,
      password_hash: publisher.password_hash,
      address: request.ip,
      browser: request.headers['user-agent'] ?? '',
      isConfirmed: isConfirmation,
      isElsewhere: true,
    })
    return { ...publisher, token }
  })
  // Roles may have been taken away even from somebody who is not let in.
  principals.forget(({ publisherId }) => publisherId !== undefined)
  if (typeof admitted === 'string') throw new SignInFailed(admitted)
  if (admitted.isTakenOver) await dropPassword(admitted.email, admitted.email)
  if (!admitted.token) throw new SignInFailed('failed')
  return admitted.token
}
