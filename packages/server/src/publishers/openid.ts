import * as oidc from 'openid-client'
import { claimedRoles, type Identity } from '../auth/identity-accounts.js'
import { plainEmail } from '../auth/sign-in.js'
import type { OidcConfig } from '../config/config.js'
import { type IdentityProvider, SignInFailed, type SignInProblem } from './identity-provider.js'

const timeoutSeconds = 10
/** A clock of the provider may be ahead of or behind ours by this much. */
const toleranceSeconds = 30

/** Sign-in with an identity provider: OpenID Connect, authorization code with PKCE. */
export function openIdentityProvider(settings: OidcConfig, apiUrl: string): IdentityProvider {
  const redirect_uri = `${apiUrl}/dashboard/oidc/callback`
  let discovered: Promise<oidc.Configuration> | undefined
  /** The provider is asked when somebody first signs in, so that a start does not depend on it. */
  const configuration = () => {
    discovered ??= discover(settings).catch((error: unknown) => {
      discovered = undefined
      throw new SignInFailed('unreachable', error)
    })
    return discovered
  }
  return {
    name: settings.name,
    allowsPasswords: settings.allowsPasswords,
    async begin(isConfirmation) {
      const config = await configuration()
      const departure = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        isConfirmation,
      }
      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri,
        scope: 'openid email profile',
        state: departure.state,
        nonce: departure.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(departure.verifier),
        code_challenge_method: 'S256',
        ...(isConfirmation ? { prompt: 'login', max_age: '0' } : {}),
      })
      return { address: address.href, departure }
    },
    async finish(query, { state, nonce, verifier, isConfirmation }) {
      const config = await configuration()
      const tokens = await oidc
        .authorizationCodeGrant(config, new URL(`${redirect_uri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(isConfirmation ? { maxAge: toleranceSeconds } : {}),
        })
        .catch((error: unknown) => {
          throw new SignInFailed(problemOf(error), error)
        })
      return identityOf(settings, await claimsOf(config, tokens))
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<oidc.Configuration> {
  const isLocal = new URL(issuer).protocol === 'http:'
  const options = { timeout: timeoutSeconds, execute: isLocal ? [oidc.allowInsecureRequests] : [] }
  const found = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, options)
  const metadata = found.serverMetadata()
  // Without a list, the specification says that only this way is supported.
  const ways = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication = ways.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost
  const config = new oidc.Configuration(
    metadata,
    clientId,
    { client_secret: clientSecret, [oidc.clockTolerance]: toleranceSeconds },
    authentication(clientSecret),
  )
  config.timeout = timeoutSeconds
  // The token comes from the provider itself over TLS. The signature holds even where something stands in between.
  oidc.enableNonRepudiationChecks(config)
  if (isLocal) oidc.allowInsecureRequests(config)
  return config
}

function problemOf(error: unknown): SignInProblem {
  if (error instanceof oidc.AuthorizationResponseError)
    return error.error === 'access_denied' ? 'declined' : 'failed'
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')
    ? 'unreachable'
    : 'failed'
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

/** Many providers put the address and the roles only in the answer of their userinfo endpoint. */
async function claimsOf(
  config: oidc.Configuration,
  tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>,
): Promise<Claims> {
  const claims = tokens.claims()
  if (!claims) throw new SignInFailed('failed')
  if (!config.serverMetadata().userinfo_endpoint) return claims
  const more = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub).catch((error: unknown) => {
    throw new SignInFailed('failed', error)
  })
  // The address and whether it is verified must come from the same place.
  const { email, email_verified } = typeof claims.email === 'string' ? claims : more
  return { ...more, ...claims, email, email_verified }
}

function identityOf({ rolesClaim }: OidcConfig, claims: Claims): Identity {
  const { iss, sub, email, email_verified, name } = claims
  // An address that the provider has not verified may be that of somebody else's account here.
  if (typeof email !== 'string' || email_verified !== true) throw new SignInFailed('unverified')
  return {
    issuer: iss,
    subject: sub,
    email: plainEmail(email),
    name: typeof name === 'string' ? name.slice(0, 200) : undefined,
    roles: claimedRoles(valueAt(claims, rolesClaim)),
  }
}

/** A claim by its name, or by a path with dots: `realm_access.roles`. Names may have dots themselves. */
export function valueAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
