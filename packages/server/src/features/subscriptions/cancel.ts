import { invalid, notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { standard } from '../../resources/standard.js'

/** Cancels a subscription. Access lasts until the end of the paid period. */
export async function cancelSubscription(call: Call) {
  const { parts, scope, id } = call
  await parts.database.db`
    update subscriptions set status = 'canceled', cancelled_at = now(), cancel_at_period_end = true, updated_at = now()
    where site_id = ${scope.site_id} and _id = ${id} and status <> 'canceled'
  `
  return standard.get(call)
}

export async function reactivateSubscription(call: Call) {
  const { parts, resource, scope, id } = call
  const [kept] = await parts.database.db<{ over: boolean }[]>`
    with kept as (
      select _id, current_period_end_at <= now() is true as over from subscriptions
      where site_id = ${scope.site_id} and _id = ${id} for update
    ), changed as (
      update subscriptions set status = 'active', cancelled_at = null, cancel_at_period_end = false, updated_at = now()
      from kept where site_id = ${scope.site_id} and subscriptions._id = kept._id and not over and status <> 'active'
    )
    select over from kept
  `
  if (!kept) throw notFound(resource.name)
  if (kept.over)
    throw invalid('The period of this subscription has ended. Set current_period_start_at to renew it.')
  return standard.get(call)
}
