import type { Db } from '../db/database.js'

const mostEvents = 500
/** An event becomes a delivery for each webhook of its channel, so the deliveries are what takes time. */
const mostDeliveries = 2000

/**
 * Makes deliveries of some queued events: of every channel in turns, so that the many events of one do not delay those of
 * others. Returns whether there may be more in the queue. A crash may undo it as a whole.
 */
export async function dispatchEvents(db: Db): Promise<boolean> {
  const [row] = await db<{ taken: number; is_more: boolean }[]>`
    with recursive channels_queued as (
      (select site_id from event_queue order by site_id limit 1)
      union all
      select next.site_id from channels_queued cross join lateral (
        select site_id from event_queue where site_id > channels_queued.site_id order by site_id limit 1
      ) as next
    ), queued as (
      select event_id, receivers, row_number() over (partition by channels_queued.site_id order by event_id) as turn
      from channels_queued
      cross join lateral (
        select count(*) as receivers from webhooks where site_id = channels_queued.site_id and active
      ) as counted
      cross join lateral (
        select event_id from event_queue where site_id = channels_queued.site_id order by event_id
        limit greatest(${mostEvents} / (select count(*) from channels_queued), 1)
      ) as first
    ), chosen as (
      select event_id from (
        select event_id, row_number() over in_turns as place, sum(receivers) over in_turns as deliveries
        from queued window in_turns as (order by turn, event_id)
      ) as ordered
      where place = 1 or (place <= ${mostEvents} and deliveries <= ${mostDeliveries})
    ), taken as (
      delete from event_queue where event_id in (
        select event_id from event_queue where event_id in (select event_id from chosen) for update skip locked
      ) returning event_id, site_id, type
    ), made as (
      insert into webhook_deliveries (_id, site_id, webhook_id, event_id, event_type, next_attempt_at)
      select delivery_id(taken.event_id, webhooks._id), webhooks.site_id, webhooks._id, taken.event_id, taken.type,
        now()
      from taken join webhooks using (site_id)
      where webhooks.active and event_matches(taken.type, webhooks.events)
      on conflict do nothing
    )
    select count(*)::integer as taken, set_config('synchronous_commit', 'off', true),
      (select count(*) from (select from event_queue limit ${mostEvents + 1}) as first_queued)
        > (select count(*) from chosen) as is_more
    from taken
  `
  return row !== undefined && row.taken > 0 && row.is_more
}
