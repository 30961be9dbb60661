import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { violation } from '../../db/violation.js'
import { couldNotSave, invalid, notFound } from '../../errors.js'
import { newId } from '../../lib/object-id.js'
import type { Answer, Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, insert, remove, type Scope, update, type Values } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { checkReferences } from '../references.js'

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

const targets = ['video_id', 'playlist_id', 'pass_plan_id'] as const

/** Throws unless there is exactly one target, and the type matches it. */
function checkTarget(name: string, given: Values): void {
  const bought = targets.filter((target) => typeof given[target] === 'string')
  if (bought.length !== 1)
    throw invalid(`Could not save ${name}: give exactly one of ${targets.join(', ')}.`, {
      [bought[1] ?? targets[0]]: [
        bought.length > 1 ? 'is one too many' : 'is required, or playlist_id, or pass_plan_id',
      ],
    })
  const isPass = given.pass_plan_id !== undefined && given.pass_plan_id !== null
  if (typeof given.transaction_type === 'string' && isPass !== (given.transaction_type === 'pass'))
    throw invalid(`Could not save ${name}: a pass, and nothing else, is bought with pass_plan_id.`, {
      transaction_type: [isPass ? 'must be pass' : 'must be purchase or rental'],
    })
}

/** The default duration of a rental in days: a rental always expires. */
const rentalDays = 2

/** Returns the type of a transaction and when its access expires. */
async function termsOf(tx: Db, site_id: string, given: Values): Promise<Values> {
  const { pass_plan_id = null, video_id = null, playlist_id = null, transaction_type } = given
  if (pass_plan_id !== null) {
    const [pass] = await tx<{ expires_at: Date | null }[]>`
      select now() + make_interval(days => duration) as expires_at from pass_plans
      where site_id = ${site_id} and _id = ${String(pass_plan_id)}
    `
    return { transaction_type: 'pass', expires_at: pass?.expires_at ?? null }
  }
  if (transaction_type !== 'rental') return { transaction_type: 'purchase', expires_at: null }
  const [rented] = await tx<{ expires_at: Date }[]>`
    select now() + make_interval(days => coalesce(nullif(rental_duration, 0), ${rentalDays})) as expires_at from ${tx(video_id ? 'videos' : 'playlists')}
    where site_id = ${site_id} and _id = ${String(video_id ?? playlist_id)}
  `
  return { transaction_type: 'rental', expires_at: rented?.expires_at ?? null }
}

/** The row of a transaction. */
interface Bought {
  readonly _id: string
  readonly site_id: string
  readonly consumer_id: string
}

/** The tables of entitlements, each with the column of what they open. */
const entitled = { video_entitlements: 'video_id', playlist_entitlements: 'playlist_id' } as const

/** Inserts the entitlement for a purchase, in the caller's transaction. A pass needs none. */
async function grant(tx: Db, { _id, site_id, consumer_id }: Bought): Promise<void> {
  for (const [table, target] of Object.entries(entitled))
    await tx`
      insert into ${tx(table)} (_id, site_id, consumer_id, ${tx(target)}, transaction_id, transaction_type, expires_at)
      select ${newId()}, site_id, consumer_id, ${tx(target)}, _id, transaction_type, expires_at from transactions
      where site_id = ${site_id} and consumer_id = ${consumer_id} and _id = ${_id} and ${tx(target)} is not null
    `
}

/** Deletes the entitlements of a transaction. */
async function revoke(tx: Db, { _id, site_id, consumer_id }: Bought): Promise<void> {
  for (const table of Object.keys(entitled))
    await tx`
      delete from ${tx(table)}
      where site_id = ${site_id} and consumer_id = ${consumer_id} and transaction_id = ${_id}
    `
}
