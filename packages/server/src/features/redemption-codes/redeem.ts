import { catalog, publishes } from '@zoetrope/contract'
import { inScope, notAllowed } from '../../auth/access.js'
import { giveBack } from '../../auth/attempts.js'
import { bucketFrom, bucketOf, takeOrRefuse } from '../../auth/limits.js'
import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import type { Answer } from '../../resources/feature.js'
import { standard } from '../../resources/standard.js'
import type { Scope } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { consumerOf } from '../pin/link.js'
import { subscribe } from '../subscriptions/operations.js'
import { record } from '../transactions/operations.js'
import { plainCode } from './codes.js'

interface Code {
  readonly _id: string
  readonly redeemed: boolean
  readonly expired: boolean
  readonly video_id: string | null
  readonly playlist_id: string | null
  readonly plan_id: string | null
  readonly pass_plan_id: string | null
}

type Redeeming = CallOf<'redemption_codes', 'redeem'>

/** Redeems a code once: creates a transaction or a subscription for the consumer. */
export async function redeem(call: Redeeming): Promise<Answer | undefined> {
  const { parts, principal, scope, body, address } = call
  // Codes do not belong to consumers, but redeeming one writes a consumer's records.
  if (!inScope(principal, catalog.consumers)) throw notAllowed(principal, catalog.consumers, 'redeem')
  const consumer_id = await consumerOf(call)
  const buckets = [bucketOf('code_by_consumer', consumer_id), bucketFrom('code_from_address', address)]
  const isLimited = !publishes(principal.kind)
  if (isLimited) await takeOrRefuse(parts, ...buckets)
  const id = await parts.database.transaction(async (tx) => {
    // A concurrent request waits here, and then sees that the code is redeemed.
    const [code] = await tx<Code[]>`
      select _id, redeemed, expiration_date <= now() is true as expired, video_id, playlist_id, plan_id, pass_plan_id
      from redemption_codes where site_id = ${scope.site_id} and code = ${plainCode(body.code)} for update
    `
    if (!code) throw notFound('redemption_code')
    if (code.redeemed) throw invalid('This code has been redeemed already.')
    if (code.expired) throw invalid('This code has expired.')
    const became = await open(tx, { site_id: scope.site_id }, code, consumer_id)
    await tx`
      update redemption_codes set redeemed_at = now(), updated_at = now(), consumer_id = ${consumer_id},
        transaction_id = ${became.transaction_id ?? null}, subscription_id = ${became.subscription_id ?? null}
      where site_id = ${scope.site_id} and _id = ${code._id}
    `
    return code._id
  })
  if (isLimited) await giveBack(parts.database.db, parts.sealer, buckets)
  return standard.get({ ...call, id })
}

interface Became {
  readonly transaction_id?: string
  readonly subscription_id?: string
}

async function open(tx: Db, scope: Scope, code: Code, consumer_id: string): Promise<Became> {
  const { video_id, playlist_id, plan_id, pass_plan_id } = code
  if (plan_id !== null) {
    const given = { consumer_id, plan_id, payment_provider: 'redemption' }
    const made = await subscribe(tx, { resource: catalog.subscriptions, scope }, given)
    return { subscription_id: idOf(made) }
  }
  const given = { provider: 'redemption', consumer_id, video_id, playlist_id, pass_plan_id, amount: '0' }
  return { transaction_id: idOf(await record(tx, scope, given)) }
}

const idOf = (made: string) => (JSON.parse(made) as { _id: string })._id
