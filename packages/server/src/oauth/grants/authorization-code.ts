import { createHash } from 'node:crypto'
import { holdOwners } from '../../auth/hold-owners.js'
import { type IssuedTokens, openSession, whyNotOpened } from '../../auth/sessions.js'
import type { Db } from '../../db/database.js'
import { sameDigest } from '../../lib/sealing.js'
import { invalidGrant, OAuthError, unverified } from '../oauth-error.js'
import { required } from '../parameters.js'
import { type Grant, sessionOrigin, type TokenRequest } from './grant.js'

interface AuthorizationCode {
  readonly consumer_id: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly scope: string
  readonly session_id: string | null
  readonly alive: boolean
}

interface CodeRedemption {
  readonly outcome: IssuedTokens | OAuthError
  /** The session that was ended because of it. */
  readonly ended?: string
}

const wrongCode = () =>
  invalidGrant('The code is not valid: it is unknown, was used, has expired, or belongs to another request.')

/** RFC 6749 §4.1.3 with PKCE (RFC 7636 §4.5), which is mandatory here. */
export const authorizationCodeGrant: Grant = {
  name: 'authorization_code',
  async run(asking) {
    const { parts, client, parameters } = asking
    const digest = parts.sealer.digest(required(parameters, 'code'))
    const redirect_uri = required(parameters, 'redirect_uri')
    const verifier = required(parameters, 'code_verifier')
    const { outcome, ended } = await parts.database.transaction(async (tx): Promise<CodeRedemption> => {
      const code = await lockCode(tx, asking, digest)
      if (!code) return { outcome: wrongCode() }
      if (code.session_id) return endSession(tx, client.site_id, code.session_id)
      if (!code.alive || code.redirect_uri !== redirect_uri || !answers(verifier, code.code_challenge))
        return { outcome: wrongCode() }
      return { outcome: await redeem(tx, asking, code, digest) }
    })
    if (ended) parts.principals.forget(({ sessionId }) => sessionId === ended)
    if (outcome instanceof OAuthError) throw outcome
    return outcome
  },
}

async function lockCode(
  tx: Db,
  { client }: TokenRequest,
  digest: Buffer,
): Promise<AuthorizationCode | undefined> {
  const { site_id, app_id } = client
  const named = tx`
    from authorization_codes where digest = ${digest} and site_id = ${site_id} and app_id = ${app_id}
  `
  await holdOwners(tx, { site_id, app_id }, tx`select consumer_id ${named}`)
  const [code] = await tx<AuthorizationCode[]>`
    select consumer_id, redirect_uri, code_challenge, scope, session_id, expires_at > now() as alive
    ${named} for update
  `
  return code
}

function answers(verifier: string, challenge: string): boolean {
  const made = createHash('sha256').update(verifier).digest()
  return sameDigest(made, Buffer.from(challenge, 'base64url'))
}

/** RFC 6749 §4.1.2: a code used twice was stolen, so the tokens issued for it are revoked. */
async function endSession(tx: Db, site_id: string, session_id: string): Promise<CodeRedemption> {
  await tx`delete from sessions where site_id = ${site_id} and _id = ${session_id}`
  return { outcome: wrongCode(), ended: session_id }
}

async function redeem(
  tx: Db,
  asking: TokenRequest,
  code: AuthorizationCode,
  digest: Buffer,
): Promise<IssuedTokens | OAuthError> {
  const { parts } = asking
  const opening = { ...sessionOrigin({ ...asking, scope: code.scope }), consumer_id: code.consumer_id }
  const session = await openSession(tx, parts.sealer, parts.lifetimes, opening)
  if (!session) return (await whyNotOpened(tx, opening)) === 'unverified' ? unverified() : wrongCode()
  await tx`update authorization_codes set session_id = ${session._id} where digest = ${digest}`
  return session.tokens
}
