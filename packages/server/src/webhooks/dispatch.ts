import type { Db } from '../db/database.js'

const mostAtOnce = 500

/** Makes deliveries of queued events. Returns whether there may be more in the queue. A crash may undo it as a whole. */
export async function dispatchEvents(db: Db): Promise<boolean> {
  const [row] = await db<{ taken: number }[]>`
    with taken as (
      delete from event_queue where event_id in (
        select event_id from event_queue order by event_id limit ${mostAtOnce} for update skip locked
      ) returning event_id, site_id, type
    ), made as (
      insert into webhook_deliveries (_id, site_id, webhook_id, event_id, event_type, next_attempt_at)
      select delivery_id(taken.event_id, webhooks._id), webhooks.site_id, webhooks._id, taken.event_id, taken.type,
        now()
      from taken join webhooks using (site_id)
      where webhooks.active and event_matches(taken.type, webhooks.events)
      on conflict do nothing
    )
    select count(*)::integer as taken, set_config('synchronous_commit', 'off', true) from taken
  `
  return row?.taken === mostAtOnce
}
