import type { Call } from '../../resources/feature.js'
import { deriving } from '../derived.js'
import { noTokens, tokensOf } from './tokens.js'

interface Held {
  readonly consumer_id: string
  readonly id: string
  readonly name: string
  readonly entitlement_type: string
  readonly subscription_id: string
}

interface Trialed {
  readonly consumer_id: string
  readonly days: number
}

/** Adds the current subscriptions, trials and linked devices of consumers and, for an admin key, their tokens. */
export const withHoldings = deriving(async (consumers, call) => {
  const ids = consumers.map(({ _id }) => String(_id))
  const [held, trialed, linked, tokens] = await Promise.all([
    subscriptionsOf(call, ids),
    trialsOf(call, ids),
    devicesOf(call, ids),
    call.principal.kind === 'admin' ? tokensOf(call, ids) : undefined,
  ])
  return ids.map((id) => {
    const subscriptions = held.filter(({ consumer_id }) => consumer_id === id)
    const trial = trialed.find(({ consumer_id }) => consumer_id === id)
    return {
      ...(tokens?.get(id) ?? noTokens),
      has_trialed: trial !== undefined,
      days_trialed: trial?.days ?? 0,
      linked_devices: ownOf(linked, id).map(({ linked_device_id }) => linked_device_id),
      subscription_count: subscriptions.length,
      subscription_ids: subscriptions.map(({ subscription_id }) => subscription_id),
      subscription_plans: ownOf(held, id),
    }
  })
})

const ownOf = <Row extends { readonly consumer_id: string }>(rows: readonly Row[], id: string) =>
  rows.filter(({ consumer_id }) => consumer_id === id).map(({ consumer_id, ...row }) => row)

const subscriptionsOf = ({ parts, scope }: Call, ids: readonly string[]) => parts.database.db<Held[]>`
  select subscription.consumer_id, plan_id as id, plan_name as name, entitlement_type,
    subscription._id as subscription_id
  from unnest(${ids}::text[]) as asked (consumer_id)
  cross join lateral living_subscriptions(${scope.site_id}, asked.consumer_id) as subscription
  join plans on plans.site_id = ${scope.site_id} and plans._id = plan_id
  order by subscription.created_at, subscription._id
`

/** Counts the trial days used so far, also of subscriptions that have ended. */
const trialsOf = ({ parts, scope }: Call, ids: readonly string[]) => parts.database.db<Trialed[]>`
  select consumer_id, floor(sum(
    greatest(extract(epoch from least(now(), trial_end) - start_at), 0)
  ) / 86400)::int as days
  from subscriptions
  where site_id = ${scope.site_id} and consumer_id = any(${ids}::text[])
    and trial_end is not null
  group by consumer_id
`

/** Returns no devices to app keys, which can be extracted from apps. The id identifies a device. */
async function devicesOf({ parts, scope, principal }: Call, ids: readonly string[]) {
  if (principal.kind === 'app') return []
  return parts.database.db<{ consumer_id: string; linked_device_id: string }[]>`
    select consumer_id, linked_device_id from linked_devices
    where site_id = ${scope.site_id} and consumer_id = any(${ids}::text[])
    order by linked_at, _id
  `
}
