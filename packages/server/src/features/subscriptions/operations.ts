import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import type { Answer, Call } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { insert, update, type Values } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { deriving } from '../derived.js'
import { checkReferences } from '../references.js'

/** Creates a subscription with the terms of its plan, in the caller's transaction. */
export async function subscribe(
  tx: Db,
  { resource, scope }: Pick<Call, 'resource' | 'scope'>,
  { trial_from_plan, ...given }: Values & { readonly plan_id: string },
): Promise<string> {
  const { status, third_party_id } = given
  const start = String(given.current_period_start_at ?? new Date().toISOString())
  const terms = await termsOf(tx, { site_id: scope.site_id, plan_id: given.plan_id, start })
  const trial_end = given.trial_end ?? (trial_from_plan ? trialEnd(start, terms) : undefined)
  return insert(tx, resource, scope, {
    ...terms,
    ...(trial_end ? { trial_end, current_period_end_at: trial_end } : {}),
    ...(third_party_id ? { payment_provider: 'third_party' } : {}),
    ...(status === 'canceled' ? { cancelled_at: new Date() } : {}),
    current_period_start_at: start,
    ...given,
  })
}

function trialEnd(start: string, { trial_period_days }: Values): string | undefined {
  const days = Number(trial_period_days ?? 0)
  return days > 0 ? new Date(Date.parse(start) + days * 86_400_000).toISOString() : undefined
}

export async function createSubscription(call: CallOf<'subscriptions', 'create'>): Promise<Answer> {
  const { parts, body } = call
  checkPeriod(call)
  await checkReferences(call)
  // Null values fall back to the plan.
  const said = Object.entries(body).filter(([, value]) => value !== null)
  const given = { ...Object.fromEntries(said), plan_id: body.plan_id }
  return answer(await parts.database.transaction((tx) => subscribe(tx, call, given)))
}

interface StoredSubscription {
  readonly plan_id: string
  readonly status: string
  readonly current_period_start_at: Date
}

/** Updates a subscription. A new start or plan moves the end of the period. Cancelling sets `cancelled_at`. */
export async function updateSubscription(call: Call): Promise<Answer> {
  const { parts, resource, scope, id } = call
  const { trial_from_plan: _atItsBeginning, ...body } = call.body
  checkPeriod(call)
  await checkReferences(call)
  const record = await parts.database.transaction(async (tx) => {
    const [kept] = await tx<StoredSubscription[]>`
      select plan_id, status, current_period_start_at from subscriptions
      where site_id = ${scope.site_id} and _id = ${id} for update
    `
    if (!kept) throw notFound(resource.name)
    const changes = {
      ...(await movedPeriod(tx, scope.site_id, kept, body)),
      ...cancelled(kept, body),
      ...body,
    }
    return update(tx, resource, scope, id, changes)
  })
  return answer(record ?? '{}')
}

async function movedPeriod(tx: Db, site_id: string, kept: StoredSubscription, body: Values): Promise<Values> {
  const { plan_id = kept.plan_id, current_period_start_at } = body
  if (plan_id === kept.plan_id && typeof current_period_start_at !== 'string') return {}
  const start = String(current_period_start_at ?? kept.current_period_start_at.toISOString())
  const { current_period_end_at, ...terms } = await termsOf(tx, { site_id, plan_id: String(plan_id), start })
  return { current_period_end_at, ...(plan_id === kept.plan_id ? {} : terms) }
}

function cancelled(kept: StoredSubscription, { status }: Values): Values {
  if (status === undefined || status === kept.status) return {}
  return { cancelled_at: status === 'canceled' ? new Date() : null }
}

/** Cancels a subscription. Access lasts until the end of the paid period. */
export async function cancelSubscription(call: Call) {
  const { parts, scope, id } = call
  await parts.database.transaction(
    (tx) => tx`
      update subscriptions set status = 'canceled', cancelled_at = now(), cancel_at_period_end = true, updated_at = now()
      where site_id = ${scope.site_id} and _id = ${id} and status <> 'canceled'
    `,
  )
  return standard.get(call)
}

export async function reactivateSubscription(call: Call) {
  const { parts, resource, scope, id } = call
  const [kept] = await parts.database.transaction(
    (tx) => tx<{ over: boolean }[]>`
      with kept as (
        select _id, current_period_end_at <= now() is true as over from subscriptions
        where site_id = ${scope.site_id} and _id = ${id} for update
      ), changed as (
        update subscriptions set status = 'active', cancelled_at = null, cancel_at_period_end = false, updated_at = now()
        from kept where site_id = ${scope.site_id} and subscriptions._id = kept._id and not over and status <> 'active'
      )
      select over from kept
    `,
  )
  if (!kept) throw notFound(resource.name)
  if (kept.over)
    throw invalid('The period of this subscription has ended. Set current_period_start_at to renew it.')
  return standard.get(call)
}

const dayMs = 86_400_000
const daysUntil = (end: unknown) =>
  typeof end === 'string' ? Math.max(Math.floor((Date.parse(end) - Date.now()) / dayMs), 0) : null

/** Adds the number of days until the period ends. */
export const withDays = deriving((subscriptions) =>
  subscriptions.map(({ current_period_end_at }) => ({ days_remaining: daysUntil(current_period_end_at) })),
)

interface PeriodStart {
  readonly site_id: string
  readonly plan_id: string
  /** When the period begins. */
  readonly start: string
}

/** Returns the terms that a subscription copies from its plan, and the end of the period. */
async function termsOf(db: Db, { site_id, plan_id, start }: PeriodStart): Promise<Values> {
  const [terms] = await db<Values[]>`
    select name as plan_name, amount, currency, interval, interval_count, trial_period_days,
      case interval when 'month' then ${start}::timestamptz + make_interval(months => interval_count)
                    when 'year' then ${start}::timestamptz + make_interval(years => interval_count)
      end as current_period_end_at
    from plans where site_id = ${site_id} and _id = ${plan_id}
  `
  if (!terms) throw notFound('plan')
  return terms
}

/** Rejects a start and an end given together: the plan determines the other one. */
function checkPeriod({ body }: Call): void {
  if (typeof body.current_period_start_at === 'string' && typeof body.current_period_end_at === 'string')
    throw invalid('Give current_period_start_at or current_period_end_at, not both.', {
      current_period_end_at: ['cannot be given together with current_period_start_at'],
    })
}
