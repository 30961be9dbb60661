import type { Db } from '../db/database.js'
import { tooMany } from '../errors.js'
import { addressKey } from '../lib/client-address.js'
import type { Sealer } from '../lib/sealing.js'
import { type Bucket, takeAttempt } from './attempts.js'

/**
 * How many failures or requests are allowed before the caller must wait. They are forgotten evenly over
 * `seconds`. The guide prints this table.
 */
export const attemptLimits = {
  account_from_address: { most: 10, seconds: 900, about: 'wrong passwords for one account from one address' },
  sign_in_from_address: { most: 100, seconds: 900, about: 'wrong passwords from one address' },
  sign_in_from_site: { most: 500, seconds: 900, about: 'wrong passwords from one IPv6 network of 48 bits' },
  account: {
    most: 100,
    seconds: 3600,
    about: 'wrong passwords for one account, from addresses it is not known at',
  },
  app: {
    most: 2000,
    seconds: 600,
    about: 'wrong passwords in one app, from such addresses; the first two of each address are free',
  },
  second_factor: { most: 10, seconds: 900, about: 'wrong codes of an authenticator by one publisher' },
  code_by_consumer: { most: 20, seconds: 3600, about: 'wrong redemption codes by one consumer' },
  code_from_address: { most: 100, seconds: 3600, about: 'wrong redemption codes from one address' },
  device_pin: { most: 100, seconds: 900, about: 'tries to sign in with a PIN from one address' },
  pin_by_consumer: {
    most: 20,
    seconds: 900,
    about: 'wrong PINs at /pin/link and /pin/unlink by one consumer',
  },
  pin_from_address: { most: 50, seconds: 900, about: 'wrong PINs there from one address' },
  pin_typed: { most: 30, seconds: 900, about: 'wrong PINs on the page /link from one address' },
  pin_asked: { most: 600, seconds: 600, about: 'PINs asked for from one address' },
  unknown_device: { most: 100, seconds: 900, about: 'unknown devices at /pin/status from one address' },
  client_secret: { most: 200, seconds: 900, about: 'wrong client secrets from one address' },
  unknown_token: {
    most: 300,
    seconds: 900,
    about: 'unknown access tokens at /oauth/token/info from one address',
  },
  sign_in_elsewhere: {
    most: 300,
    seconds: 900,
    about: 'sign-ins with an identity provider begun from one address',
  },
  sign_up: { most: 100, seconds: 3600, about: 'sign-ups from one address' },
  mail_to: { most: 5, seconds: 3600, about: 'mails of one kind to one account' },
  mail_from: { most: 50, seconds: 3600, about: 'mails of one kind asked for from one address' },
} as const

type LimitName = keyof typeof attemptLimits

/** The bucket of one limit for one key. */
export const bucketOf = (name: LimitName, what: string): Bucket => {
  const { most, seconds } = attemptLimits[name]
  return { key: `${name} ${what}`, most, seconds }
}

/** The same, keyed by the address of the request. */
export const bucketFrom = (name: LimitName, ip: string): Bucket => bucketOf(name, addressKey(ip))

/** Takes one attempt from every bucket, or throws with the time to wait. */
export async function takeOrRefuse(
  { database, sealer }: { readonly database: { readonly db: Db }; readonly sealer: Sealer },
  ...buckets: readonly Bucket[]
): Promise<void> {
  const seconds = await takeAttempt(database.db, sealer, buckets)
  if (seconds > 0) throw tooMany(seconds)
}
