import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { violation } from '../../db/violation.js'
import { couldNotSave, notFound } from '../../errors.js'
import type { Answer, Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, insert, remove, type Scope, update, type Values } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { checkReferences } from '../references.js'
import { type Bought, grant, revoke } from './grant.js'
import { checkTarget, termsOf } from './terms.js'

const resource = catalog.transactions

/** Inserts a transaction and its entitlement, in the caller's transaction. */
export async function record(tx: Db, scope: Scope, given: Values): Promise<string> {
  const made = await insert(tx, resource, scope, {
    ...given,
    ...(await termsOf(tx, scope.site_id, given)),
  })
  await grant(tx, JSON.parse(made) as Bought)
  return made
}

/** Creates a transaction. If the payment was reported before, returns the existing one. */
export async function createTransaction(call: CallOf<'transactions', 'create'>): Promise<Answer> {
  const { parts, scope, body } = call
  checkTarget(resource.name, body)
  await checkReferences(call)
  try {
    return answer(await parts.database.transaction((tx) => record(tx, scope, body)))
  } catch (error) {
    if (violation(error) !== 'unique') throw error
  }
  return answer(await reportedBefore(call))
}

const told = ['consumer_id', 'video_id', 'playlist_id', 'pass_plan_id'] as const
const deciding = [...told, 'transaction_type'] as const
/** The field with the provider's id of the payment, as in `transactions.provider_id`. */
const providerIds = {
  stripe: 'stripe_id',
  braintree: 'braintree_id',
  recurly: 'recurly_invoice_number',
  roku: 'roku_id',
  apple_tv: 'apple_id',
  third_party: 'third_party_id',
  // The platform's own codes: no provider reports them, so none is reported twice.
  redemption: 'third_party_id',
} as const

async function reportedBefore({ parts, scope, body }: CallOf<'transactions', 'create'>): Promise<string> {
  const { db } = parts.database
  const name = providerIds[body.provider]
  const [row] = await db<{ _id: string }[]>`
    select _id from transactions
    where site_id = ${scope.site_id} and provider = ${body.provider} and provider_id = ${body[name] ?? null}
  `
  const kept = await find(db, resource, scope, row?._id ?? '')
  const before = JSON.parse(kept ?? '{}') as Record<string, unknown>
  const isOther = told.some((field) => (body[field] ?? null) !== (before[field] ?? null))
  const type = body.transaction_type ?? before.transaction_type
  if (!kept || isOther || type !== before.transaction_type)
    throw couldNotSave('transaction', name, 'belongs to another transaction')
  return kept
}

/** Updates a transaction. If its consumer, target or type changes, its entitlement is replaced. */
export async function updateTransaction(call: CallOf<'transactions', 'update'>): Promise<Answer> {
  const { parts, scope, id, body } = call
  await checkReferences(call)
  const changed = await parts.database.transaction(async (tx) => {
    const kept = await held(tx, scope, id)
    const given = { ...kept, ...body }
    checkTarget(resource.name, given)
    const moves = deciding.some((name) => name in body && body[name] !== kept[name])
    if (!moves) return update(tx, resource, scope, id, body)
    await revoke(tx, kept)
    const terms = await termsOf(tx, scope.site_id, given)
    const made = await update(tx, resource, scope, id, { ...body, ...terms })
    await grant(tx, JSON.parse(made ?? '{}') as Bought)
    return made
  })
  return answer(changed ?? '{}')
}

export async function removeTransaction({ parts, scope, id }: Call): Promise<undefined> {
  await parts.database.transaction(async (tx) => {
    await revoke(tx, await held(tx, scope, id))
    await remove(tx, resource, scope, id)
  })
}

/** Returns the transaction, locked until the database transaction ends. */
async function held(tx: Db, scope: Scope, id: string): Promise<Bought & Values> {
  await tx`select from transactions where site_id = ${scope.site_id} and _id = ${id} for update`
  const kept = await find(tx, resource, scope, id)
  if (!kept) throw notFound(resource.name)
  return JSON.parse(kept) as Bought & Values
}
