-- Which events a webhook is sent, the ids of deliveries, and which are due: docs/decisions/0061-webhooks.md.

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

-- Whether the last delivery to a webhook was a success.
create or replace function answers(webhook webhooks) returns boolean
language sql stable parallel safe as $$ select webhook.failing_since is null and webhook.last_delivered_at is not null $$;

-- Makes deliveries of queued events, about `most_each` for the oldest of each channel: the many events of one do not delay those of
-- others. First (`later` is false) only for webhooks that answer; if there are others, the event stays in the queue for them.
-- Here and below, only plans that use indexes are made: statements are planned once, maybe while a table is empty, and a plan that
-- reads all of it becomes slow as deliveries collect.
create or replace function dispatch_events(later boolean, most_each integer, out is_some boolean, out is_more boolean)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  with recursive channels as (
    (select site_id from event_queue where is_later = later order by site_id limit 1)
    union all
    select next.site_id from channels cross join lateral (
      select site_id from event_queue where is_later = later and site_id > channels.site_id order by site_id limit 1
    ) as next
  ), receivers as (
    select channels.site_id, greatest(count(_id), 1) as count,
      not later and count(_id) filter (where not answers(webhooks)) > 0 as remains
    from channels left join webhooks on webhooks.site_id = channels.site_id and active group by channels.site_id
  ), oldest as (
    select first.*, remains from receivers cross join lateral (
      select ctid as place, site_id, event_id, type from event_queue where is_later = later and site_id = receivers.site_id
      order by event_id limit most_each / count for update skip locked
    ) as first
  ), made as (
    insert into webhook_deliveries (_id, site_id, webhook_id, event_id, event_type, next_attempt_at)
    select delivery_id(event_id, webhooks._id), site_id, webhooks._id, event_id, type, now()
    from oldest join webhooks using (site_id)
    where active and (later or answers(webhooks)) and event_matches(type, webhooks.events)
    on conflict do nothing
  ), kept as (
    update event_queue set is_later = true from oldest where event_queue.ctid = place and remains
  ), removed as (
    delete from event_queue using oldest where event_queue.ctid = place and not remains
  )
  select count(*) > 0 into is_some from oldest;
  select is_some and exists (select from event_queue where is_later = later) into is_more;
end $$;

-- The oldest due deliveries of every webhook with one of these healths, at most so many as given for it; webhooks in random order,
-- so that none is always the last. It looks only at webhooks that have waiting deliveries: the index that orders these by webhook
-- is read from one webhook to the next.
create or replace function due_deliveries(slow text[], resting text[], healths text[], most_each integer[]) returns table (
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
    select receiver.*, random() as lot from earliest cross join lateral (
      select site_id, _id, host, case
        when failing_since is not null then 'failing'
        when last_delivered_at is null then 'new'
        when _id = any(slow) then 'slow'
        else 'answering'
      end as health
      from webhooks
      where site_id = earliest.site_id and _id = webhook_id and active and _id <> all(resting) limit 1
    ) as receiver
    where next_attempt_at <= now()
  )
  select waiting.place, waiting._id, receivers.site_id, receivers._id, waiting.event_id, receivers.host, receivers.health
  from receivers join unnest(healths, most_each) as limits (health, most) using (health) cross join lateral (
    select ctid::text as place, _id, event_id, next_attempt_at from webhook_deliveries
    where site_id = receivers.site_id and webhook_id = receivers._id and status = 'waiting' and next_attempt_at <= now()
    order by next_attempt_at limit most
  ) as waiting
  order by lot, next_attempt_at;
end $$;
