import { publishes } from '@zoetrope/contract'
import { invalid } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { standard } from '../../resources/standard.js'
import { checkPlaylists, whereTiersHavePlaylists } from './playlists.js'

/** Lists plans. For publishers, inactive plans are included by default. */
export async function listPlans(call: Call) {
  const { principal, query } = call
  return standard.list(
    publishes(principal.kind) && !query.active ? { ...call, query: { ...query, active: 'all' } } : call,
  )
}

export async function createPlan(call: Call) {
  await checkPlaylists(call)
  return whereTiersHavePlaylists(standard.create(call))
}

export async function updatePlan(call: Call) {
  await checkPlaylists(call)
  return whereTiersHavePlaylists(standard.update(call))
}

/** Deletes a plan. Tiered plans and plans with subscriptions stay, so that past sales can be traced. */
export async function removePlan(call: Call) {
  const { parts, scope, id } = call
  const [plan] = await parts.database.db<{ entitlement_type: string }[]>`
    select entitlement_type from plans where site_id = ${scope.site_id} and _id = ${id}
  `
  if (plan?.entitlement_type === 'tiered')
    throw invalid('A tiered plan cannot be deleted. Set active to false to offer it no more.')
  const [sold] = await parts.database.db`
    select from subscriptions where site_id = ${scope.site_id} and plan_id = ${id} limit 1
  `
  if (sold) throw invalid('Somebody has subscribed to this plan. Set active to false to offer it no more.')
  return standard.remove(call)
}
