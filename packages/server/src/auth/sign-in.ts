import type { Database } from '../db/database.js'
import { addressKey } from '../lib/client-address.js'
import type { Sealer } from '../lib/sealing.js'
import { type Bucket, giveBack, takeAttempt } from './attempts.js'
import type { Passwords } from './passwords.js'
import type { Proof } from './sessions.js'

/** Someone says to be a consumer. */
export interface Claim {
  readonly site_id: string
  readonly app_id: string
  readonly email: string
  readonly password: string
  readonly ip: string
}

export type Verdict =
  | { readonly kind: 'right'; readonly consumer: KnownConsumer }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number }

export interface KnownConsumer {
  readonly _id: string
  readonly email: string
  readonly proof: Proof
}

interface Tools {
  readonly database: Database
  readonly sealer: Sealer
  readonly passwords: Passwords
}

/** An address as it is kept and compared: what people type differs in case and in spaces around it. */
export const plainEmail = (typed: string): string => typed.normalize('NFC').trim().toLowerCase()

export const accountKey = (site_id: string, email: string) => `account ${site_id} ${email}`

/**
 * The limits on wrong passwords. Those by address stop one attacker; those by account and by app slow many down, and do not
 * hold where the consumer has signed in before, so nobody can shut a viewer out of the own living room.
 */
function bucketsOf({ site_id, app_id, ip }: Claim, email: string, known: boolean): Bucket[] {
  const address = addressKey(ip)
  const local: Bucket[] = [
    { key: `${accountKey(site_id, email)} from ${address}`, most: 10, seconds: 900 },
    { key: `sign-in from ${address}`, most: 100, seconds: 900 },
  ]
  if (known) return local
  return [
    ...local,
    { key: accountKey(site_id, email), most: 100, seconds: 3600 },
    { key: `app ${app_id}`, most: 2000, seconds: 600 },
  ]
}

/** Whether this is the consumer's password. Someone unknown costs the same work and gets the same answer. */
export const judge = (tools: Tools, claim: Claim): Promise<Verdict> =>
  tools.passwords.inTurn(addressKey(claim.ip), () => judgeNow(tools, claim))

async function judgeNow({ database, sealer, passwords }: Tools, claim: Claim): Promise<Verdict> {
  const { db } = database
  const email = plainEmail(claim.email)
  const from = sealer.digest(`address ${claim.site_id} ${email} ${addressKey(claim.ip)}`)
  const [found] = await db<{ _id: string; password_hash: string | null; known: boolean }[]>`
    select _id, password_hash, exists (
      select from known_addresses as known
      where known.site_id = consumers.site_id and consumer_id = _id
        and digest = ${from}
    ) as known
    from consumers where site_id = ${claim.site_id} and email = ${email}
  `
  const buckets = bucketsOf(claim, email, found?.known ?? false)
  const seconds = await takeAttempt(db, sealer, buckets)
  if (seconds > 0) return { kind: 'wait', seconds }
  const right = await passwords
    .verify(found?.password_hash ?? undefined, claim.password)
    .catch(async (error) => {
      await giveBack(db, sealer, buckets)
      throw error
    })
  if (!right || !found?.password_hash) return { kind: 'wrong' }
  await giveBack(db, sealer, buckets)
  return {
    kind: 'right',
    consumer: { _id: found._id, email, proof: { password_hash: found.password_hash, from } },
  }
}
