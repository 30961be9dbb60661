import type { Answer, Expected } from './answer.js'
import type { CallOptions } from './client.js'
import type { Connection } from './options.js'
import { createTransport } from './transport.js'

/** The app that requests tokens. A public client has no secret; never put a secret into a page or an app. */
export interface ClientApp extends Connection {
  readonly clientId: string
  readonly clientSecret?: string
}

/** What a sign-in gives: pass the access token to `createClient`, and keep the refresh token to renew both. */
export interface Tokens {
  readonly access_token: string
  readonly token_type: 'bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
  /** Seconds since 1970. */
  readonly created_at: number
}

export interface TokenInfo {
  /** The consumer. */
  readonly resource_owner_id: string
  readonly scope: readonly string[]
  readonly scopes: readonly string[]
  /** Seconds that are left. */
  readonly expires_in: number
  readonly expires_in_seconds: number
  /** The app, by its client id. */
  readonly application: { readonly uid: string }
  /** Seconds since 1970. */
  readonly created_at: number
}

type Form = Readonly<Record<string, string | undefined>>

/** Signs a consumer in with e-mail address and password. */
export async function signIn(
  options: ClientApp & { readonly username: string; readonly password: string; readonly scope?: string },
  call?: CallOptions,
): Promise<Tokens> {
  const { username, password, scope } = options
  return tokens(options, { grant_type: 'password', username, password, scope }, call)
}

/** Signs in a device that was linked to a consumer, with the PIN that it shows. */
export async function signInDevice(
  options: ClientApp & { readonly linkedDeviceId: string; readonly pin: string; readonly scope?: string },
  call?: CallOptions,
): Promise<Tokens> {
  const { linkedDeviceId, pin, scope } = options
  return tokens(options, { grant_type: 'password', linked_device_id: linkedDeviceId, pin, scope }, call)
}

/** Exchanges a refresh token for a new pair; the old pair stops working. */
export async function refreshTokens(
  options: ClientApp & { readonly refreshToken: string },
  call?: CallOptions,
): Promise<Tokens> {
  return tokens(options, { grant_type: 'refresh_token', refresh_token: options.refreshToken }, call)
}

/** Signs out: ends the session of an access or refresh token. An invalid token is not an error. */
export async function revokeToken(
  options: ClientApp & { readonly token: string },
  call?: CallOptions,
): Promise<void> {
  await post(options, '/oauth/revoke', { token: options.token }, 'anything', call)
}

/** The owner and the remaining lifetime of an access token; fails with status 401 if it is not valid. */
export async function tokenInfo(
  options: Connection & { readonly accessToken: string },
  call?: CallOptions,
): Promise<TokenInfo> {
  const send = createTransport(options, { authorization: `Bearer ${options.accessToken}` })
  const expects = 'resource_owner_id'
  return (await send({
    method: 'GET',
    path: '/oauth/token/info',
    expects,
    signal: call?.signal,
  })) as TokenInfo
}

async function tokens(app: ClientApp, grant: Form, call?: CallOptions): Promise<Tokens> {
  return (await post(app, '/oauth/token', grant, 'access_token', call)) as Tokens
}

/** As a form, because that is what every authorization server reads (RFC 6749 §4). */
function post(
  app: ClientApp,
  path: string,
  fields: Form,
  expects: Expected,
  call?: CallOptions,
): Promise<Answer | undefined> {
  const form = { client_id: app.clientId, client_secret: app.clientSecret, ...fields }
  const given = Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined)
  const body = new URLSearchParams(given)
  return createTransport(app)({ method: 'POST', path, body, expects, signal: call?.signal })
}
