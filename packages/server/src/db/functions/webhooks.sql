-- Which events a webhook is sent, the ids of deliveries, and what workers send next: docs/decisions/0061-webhooks.md.

-- Whether a type of event matches one of the patterns: the type itself, or text with * for any part of it.
create or replace function event_matches(type text, patterns text[]) returns boolean
language sql immutable parallel safe
return exists (
  select from unnest(patterns) as pattern
  where type like replace(replace(pattern, '_', '\_'), '*', '%')
);

-- The id of the delivery of an event to a webhook; it sorts by the time of the event.
create or replace function delivery_id(event_id text, webhook_id text) returns text
language sql immutable parallel safe
return left(event_id, 8) || left(md5(event_id || ' ' || webhook_id), 16);

-- Makes deliveries of some queued events: of every channel in turns, so that the many events of one do not delay those of
-- others. First (`later` is false) only for webhooks that answer; an event for which there are other webhooks stays in the
-- queue, and becomes their deliveries later. `remaining` counts these events, or the deliveries made later for webhooks that
-- have begun to answer.
-- Here and below, only plans that use indexes are made: statements are planned once, maybe while a table is empty, and a plan
-- that reads all of it becomes slow as deliveries collect.
create or replace function dispatch_events(later boolean, most_events integer, most_deliveries integer)
returns table (taken integer, remaining integer, is_more boolean) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  with recursive channels_queued as (
    (select site_id from event_queue where is_later = later order by site_id limit 1)
    union all
    select next.site_id from channels_queued cross join lateral (
      select site_id from event_queue where is_later = later and site_id > channels_queued.site_id
      order by site_id limit 1
    ) as next
  ), channels as (
    select site_id, count(*) filter (where later or answers) as receivers, bool_or(not answers) as has_others
    from channels_queued left join lateral (
      select failing_since is null and last_delivered_at is not null as answers from webhooks
      where webhooks.site_id = channels_queued.site_id and active
    ) as receiver on true
    group by site_id
  ), queued as (
    select event_id, receivers, has_others, row_number() over (partition by channels.site_id order by event_id) as turn
    from channels cross join lateral (
      select event_id from event_queue where is_later = later and site_id = channels.site_id
      order by event_id limit greatest(most_events / (select count(*) from channels), 1)
    ) as first
  ), chosen as (
    select event_id, has_others from (
      select event_id, has_others, row_number() over in_turns as place, sum(receivers) over in_turns as deliveries
      from queued window in_turns as (order by turn, event_id)
    ) as ordered
    where place = 1 or (place <= most_events and deliveries <= most_deliveries)
  ), free as (
    select event_id, site_id, type, not later and coalesce(has_others, false) as remains
    from chosen join event_queue using (event_id) where is_later = later
    for update of event_queue skip locked
  ), removed as (
    delete from event_queue using free where event_queue.event_id = free.event_id and not remains
  ), kept as (
    update event_queue set is_later = true from free where event_queue.event_id = free.event_id and remains
  ), made as (
    insert into webhook_deliveries (_id, site_id, webhook_id, event_id, event_type, next_attempt_at)
    select delivery_id(free.event_id, webhooks._id), webhooks.site_id, webhooks._id, free.event_id, free.type, now()
    from free join webhooks using (site_id)
    where webhooks.active and (later or (failing_since is null and last_delivered_at is not null))
      and event_matches(free.type, webhooks.events)
    on conflict do nothing
    returning site_id, webhook_id
  )
  select count(*)::integer, (case when later then (
      select count(*) from made cross join lateral (
        select from webhooks where webhooks.site_id = made.site_id and webhooks._id = webhook_id
          and failing_since is null and last_delivered_at is not null limit 1
      ) as answering
    ) else count(*) filter (where remains) end)::integer,
    (select count(*) from (select from event_queue where is_later = later limit most_events + 1) as first_queued)
      > (select count(*) from chosen)
  from free;
end $$;

-- The oldest due deliveries of every webhook with one of these healths, as many as may be sent to it. It looks only at webhooks
-- that have waiting deliveries: the index that orders these by webhook is read from one webhook to the next.
create or replace function due_deliveries(
  healths text[], most_each integer[], slow text[], resting text[], busy text[], busy_counts integer[]
) returns table (
  ctid text, _id text, site_id text, webhook_id text, event_id text, host text, health text
) language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  with recursive earliest as (
    (
      select site_id, webhook_id, next_attempt_at from webhook_deliveries where status = 'waiting'
      order by site_id, webhook_id, next_attempt_at limit 1
    )
    union all
    select next.* from earliest cross join lateral (
      select site_id, webhook_id, next_attempt_at from webhook_deliveries
      where status = 'waiting' and (site_id, webhook_id) > (earliest.site_id, earliest.webhook_id)
      order by site_id, webhook_id, next_attempt_at limit 1
    ) as next
  ), receivers as (
    select receiver.* from earliest cross join lateral (
      select site_id, _id, host, case
        when failing_since is not null then 'failing'
        when last_delivered_at is null then 'unknown'
        when _id = any(slow) then 'slow'
        else 'answering'
      end as health
      from webhooks
      where site_id = earliest.site_id and _id = webhook_id and active and _id <> all(resting) limit 1
    ) as receiver
    where next_attempt_at <= now()
  )
  select waiting.place, waiting._id, receivers.site_id, receivers._id, waiting.event_id, receivers.host, receivers.health
  from receivers
  join unnest(healths, most_each) as rooms (health, most) using (health)
  left join unnest(busy, busy_counts) as sent (name, sending) on name = receivers._id
  cross join lateral (
    select ctid::text as place, _id, event_id, next_attempt_at from webhook_deliveries
    where site_id = receivers.site_id and webhook_id = receivers._id
      and status = 'waiting' and next_attempt_at <= now()
    order by next_attempt_at limit greatest(most - coalesce(sending, 0), 0)
  ) as waiting
  order by waiting.next_attempt_at;
end $$;
