import { plainEmail } from '../../auth/sign-in.js'
import { explaining } from '../../db/violation.js'
import { couldNotSave } from '../../errors.js'
import type { Sealer } from '../../lib/sealing.js'
import type { Call } from '../../resources/feature.js'
import { isTokenTaken, type Tokens, tokenTaken } from './tokens.js'

/** The body of a request: column values, with passwords and tokens separate. */
export interface ConsumerInput {
  readonly values: Readonly<Record<string, unknown>>
  readonly password: string | undefined
  readonly currentPassword: string | undefined
  /** Tokens that the publisher chose. */
  readonly tokens: Partial<Tokens>
}

/** The digest under which a publisher's `password_token` is stored. */
export const ownTokenDigest = (sealer: Sealer, token: string): Buffer =>
  sealer.digest(`password_token ${token}`)

function ownToken(sealer: Sealer, { password_token }: Call['body']) {
  if (password_token === undefined) return {}
  return {
    password_token_digest: typeof password_token === 'string' ? ownTokenDigest(sealer, password_token) : null,
  }
}

export function readConsumer(sealer: Sealer, body: Call['body']): ConsumerInput {
  const { password, password_confirmation, current_password, password_token: _, ...others } = body
  const { rss_token, remember_token, ...values } = others
  // Forms send an empty field as null. With a password, that is a missing confirmation.
  if (Object.hasOwn(body, 'password_confirmation') && (password_confirmation ?? null) !== (password ?? null))
    throw couldNotSave('consumer', 'password_confirmation', 'is not the same as the password')
  const email = typeof values.email === 'string' ? { email: plainEmail(values.email) } : {}
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    values: { ...values, ...email, ...ownToken(sealer, body) },
    password: text(password),
    currentPassword: text(current_password),
    tokens: { rss_token, remember_token } as Partial<Tokens>,
  }
}

/** Awaits a write of a consumer. Turns unique violations into errors about the address or the token. */
export const whereEmailIsFree = <T>(write: Promise<T>): Promise<T> =>
  explaining(write, 'unique', (error) =>
    isTokenTaken(error) ? tokenTaken() : couldNotSave('consumer', 'email', 'is taken already'),
  )
