import type { Db } from '../db/database.js'
import { addressKey } from '../lib/client-address.js'
import type { Sealer } from '../lib/sealing.js'
import { attemptsWait } from './attempts.js'
import { bucketOf } from './limits.js'
import { bucketsNear, checkAbroad, checkAtHome, plainEmail, type Tools } from './sign-in.js'

/** A sign-in attempt for the dashboard. */
interface PublisherAttempt {
  readonly email: string
  readonly password: string
  readonly ip: string
}

export interface KnownPublisher {
  readonly _id: string
  readonly email: string
  /** The hash that the password was checked against. */
  readonly password_hash: string
  /** A code is required in addition to the password. */
  readonly totp_enabled: boolean
}

type PublisherVerdict =
  | { readonly kind: 'right'; readonly publisher: KnownPublisher }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number }

interface FoundPublisher {
  readonly _id: string | null
  readonly password_hash: string | null
  readonly totp_enabled: boolean
  readonly known: boolean
  readonly wait: number
}

/** Like those of consumers, for another kind of account; addresses share their limit with consumers. */
const bucketsOf = (email: string, ip: string) => ({
  near: bucketsNear(`publisher ${email}`, ip),
  account: bucketOf('account', `publisher ${email}`),
})

const addressDigest = (sealer: Sealer, email: string, ip: string): Buffer =>
  sealer.digest(`publisher address ${email} ${addressKey(ip)}`)

/** Checks a publisher's password. An unknown account costs the same work and gets the same response. */
export const judgePublisher = (tools: Tools, claim: PublisherAttempt): Promise<PublisherVerdict> =>
  tools.passwords.inTurn(addressKey(claim.ip), () => judgeNow(tools, claim))

async function judgeNow(
  tools: Tools,
  { email: typed, password, ip }: PublisherAttempt,
): Promise<PublisherVerdict> {
  const { db } = tools.database
  const email = plainEmail(typed)
  const { near, account } = bucketsOf(email, ip)
  const [found] = await db<FoundPublisher[]>`
    select _id, password_hash, totp_enabled_at is not null as totp_enabled,
      ${attemptsWait(db, tools.sealer, near)} as wait, exists (
      select from publisher_addresses
      where publisher_id = _id and digest = ${addressDigest(tools.sealer, email, ip)}
    ) as known
    from (select) as one left join publishers on lower(email) = ${email}
  `
  if (!found || found.wait > 0) return { kind: 'wait', seconds: found?.wait ?? 1 }
  const right = found.known
    ? await checkAtHome(tools, found, password, near)
    : await checkAbroad(tools, found, password, [...near, account])
  if (typeof right === 'number') return { kind: 'wait', seconds: right }
  if (!right || !found._id || !found.password_hash) return { kind: 'wrong' }
  const { _id, password_hash, totp_enabled } = found
  return { kind: 'right', publisher: { _id, email, password_hash, totp_enabled } }
}

/** From this address the owner can now sign in even while the account is under attack. */
export async function rememberPublisherAddress(
  tx: Db,
  sealer: Sealer,
  { _id, email }: KnownPublisher,
  ip: string,
): Promise<void> {
  await tx`
    insert into publisher_addresses (publisher_id, digest) values (${_id}, ${addressDigest(sealer, email, ip)})
    on conflict (publisher_id, digest) do update set seen_at = now()
  `
}
