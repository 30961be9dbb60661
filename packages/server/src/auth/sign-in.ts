import type { Database, Db } from '../db/database.js'
import { addressKey, siteKey } from '../lib/client-address.js'
import type { Sealer } from '../lib/sealing.js'
import { attemptsWait, type Bucket, giveBack, takeAttempt } from './attempts.js'
import { attemptLimits, bucketFrom, bucketOf } from './limits.js'
import type { Passwords } from './passwords.js'
import type { Proof } from './sessions.js'

/** A consumer's sign-in attempt. */
export interface SignInAttempt {
  readonly site_id: string
  readonly app_id: string
  readonly email: string
  readonly password: string
  readonly ip: string
}

export type SignInVerdict =
  | { readonly kind: 'right'; readonly consumer: KnownConsumer }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number }

export interface KnownConsumer {
  readonly _id: string
  readonly email: string
  readonly proof: Proof
}

export interface Tools {
  readonly database: Database
  readonly sealer: Sealer
  readonly passwords: Passwords
}

/** Normalises an e-mail address: people type it with different case and with spaces around it. */
export const plainEmail = (typed: string): string => typed.normalize('NFC').trim().toLowerCase()

/**
 * The limits on wrong passwords. Those per address stop a single attacker. Those per account and per app slow
 * down distributed attacks, and are skipped at the consumer's known addresses, so nobody can lock viewers out
 * at home.
 */
function bucketsOf({ site_id, app_id, ip }: SignInAttempt, email: string) {
  const near = bucketsNear(`${site_id} ${email}`, ip)
  return { near, account: accountBucket(site_id, email), app: bucketOf('app', app_id) }
}

/** The limits for an address, and for an account from this address. */
export function bucketsNear(account: string, ip: string): Bucket[] {
  const [address, site] = [addressKey(ip), siteKey(ip)]
  return [
    bucketOf('account_from_address', `${account} ${address}`),
    bucketOf('sign_in_from_address', address),
    ...(site === address ? [] : [bucketOf('sign_in_from_site', site)]),
  ]
}

export const accountBucket = (site_id: string, email: string): Bucket =>
  bucketOf('account', `${site_id} ${email}`)

/** Full if an address failed twice recently: it drains like the address's own bucket. */
const firstTries = (ip: string): Bucket => {
  const { most, seconds } = attemptLimits.sign_in_from_address
  return { ...bucketFrom('sign_in_from_address', ip), most: 2, seconds: (2 * seconds) / most }
}

/** The digest by which a consumer's network address is recognised. */
export const addressDigest = (sealer: Sealer, site_id: string, email: string, ip: string): Buffer =>
  sealer.digest(`address ${site_id} ${email} ${addressKey(ip)}`)

interface FoundConsumer {
  readonly _id: string | null
  readonly password_hash: string | null
  readonly known: boolean
  readonly wait: number
  /** Above 0 for an address that failed recently. */
  readonly suspect: number
}

/** Checks a consumer's password. An unknown account costs the same work and gets the same response. */
export const judge = (tools: Tools, claim: SignInAttempt): Promise<SignInVerdict> =>
  tools.passwords.inTurn(addressKey(claim.ip), () => judgeNow(tools, claim))

async function judgeNow(tools: Tools, claim: SignInAttempt): Promise<SignInVerdict> {
  const { db } = tools.database
  const email = plainEmail(claim.email)
  const from = addressDigest(tools.sealer, claim.site_id, email, claim.ip)
  const { near, account, app } = bucketsOf(claim, email)
  const [found] = await db<FoundConsumer[]>`
    select _id, password_hash, ${attemptsWait(db, tools.sealer, near)} as wait,
      ${attemptsWait(db, tools.sealer, [firstTries(claim.ip)])} as suspect, exists (
      select from known_addresses as known
      where known.site_id = consumers.site_id and consumer_id = _id and digest = ${from}
    ) as known
    from (select) as one left join consumers on site_id = ${claim.site_id} and email = ${email}
  `
  if (!found || found.wait > 0) return { kind: 'wait', seconds: found?.wait ?? 1 }
  const right = found.known
    ? await checkAtHome(tools, found, claim.password, near)
    : await checkAbroad(tools, found, claim.password, [...near, account, ...(found.suspect > 0 ? [app] : [])])
  if (typeof right === 'number') return { kind: 'wait', seconds: right }
  if (!right || !found._id || !found.password_hash) return { kind: 'wrong' }
  const proof = { password_hash: found.password_hash, from }
  return { kind: 'right', consumer: { _id: found._id, email, proof } }
}

type Check = (
  tools: Tools,
  found: Pick<FoundConsumer, 'password_hash'>,
  password: string,
  buckets: readonly Bucket[],
) => Promise<boolean | number>

/** Few attempts run in parallel from one address, so a failure is counted once it is known. */
export const checkAtHome: Check = async ({ database, sealer, passwords }, found, password, buckets) => {
  const right = await passwords.verify(found.password_hash ?? undefined, password)
  if (!right) await takeAttempt(database.db, sealer, buckets)
  return right
}

/**
 * A thousand attempts may run in parallel from a thousand addresses, so each counts as a failure until it
 * succeeds.
 */
export const checkAbroad: Check = async (
  { database: { db }, sealer, passwords },
  found,
  password,
  buckets,
) => {
  const seconds = await takeAttempt(db, sealer, buckets)
  if (seconds > 0) return seconds
  const verified = passwords.verify(found.password_hash ?? undefined, password)
  const right = await verified.catch(async (error) => {
    await giveBack(db, sealer, buckets)
    throw error
  })
  if (right) await giveBack(db, sealer, buckets)
  return right
}

/** From this address the consumer can now sign in even while the account is under attack. */
export async function rememberAddress(
  tx: Db,
  { site_id, consumer_id }: { readonly site_id: string; readonly consumer_id: string },
  from: Buffer,
): Promise<void> {
  await tx`
    insert into known_addresses (site_id, consumer_id, digest) values (${site_id}, ${consumer_id}, ${from})
    on conflict (site_id, consumer_id, digest) do update set seen_at = now()
  `
}
