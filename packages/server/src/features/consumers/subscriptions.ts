import { deriving } from '../../resources/derived.js'

interface Held {
  readonly consumer_id: string
  readonly id: string
  readonly name: string
  readonly entitlement_type: string
  readonly subscription_id: string
}

/** Consumers with the subscriptions of theirs that hold at this moment. */
export const withSubscriptions = deriving(async (consumers, { parts, scope }) => {
  const ids = consumers.map(({ _id }) => String(_id))
  const rows = await parts.database.db<Held[]>`
    select subscription.consumer_id, plan_id as id, plan_name as name, entitlement_type,
      subscription._id as subscription_id
    from unnest(${ids}::text[]) as asked (consumer_id)
    cross join lateral living_subscriptions(${scope.site_id}, asked.consumer_id) as subscription
    join plans on plans.site_id = ${scope.site_id} and plans._id = plan_id
    order by subscription.created_at, subscription._id
  `
  return ids.map((id) => {
    const held = rows.filter(({ consumer_id }) => consumer_id === id)
    return {
      subscription_count: held.length,
      subscription_ids: held.map(({ subscription_id }) => subscription_id),
      subscription_plans: held.map(({ consumer_id, ...plan }) => plan),
    }
  })
})
