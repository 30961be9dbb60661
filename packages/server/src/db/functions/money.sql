-- What a consumer has bought and may watch.

-- Whether a subscription is valid now.
create or replace function holds(status text, cancel_at_period_end boolean, ends timestamptz) returns boolean
language sql stable
return case status when 'active' then ends is null or ends > now()
                   when 'canceled' then cancel_at_period_end and ends > now()
                   else false end is true;

-- The valid subscriptions of a consumer.
create or replace function living_subscriptions(site text, consumer text) returns setof subscriptions
language sql stable as $$
  select * from subscriptions
  where site_id = site and consumer_id = consumer and holds(status, cancel_at_period_end, current_period_end_at)
$$;

-- What entitles a consumer to watch a video. Returns no row if the consumer does not exist. `playlists` are those that
-- contain the video, and their ancestors. The expressions with || '' match only the indexes *_entitlements_to_check.
create or replace function entitlement_status(site text, consumer text, video text, playlists text[])
returns table (super_watcher boolean, subscribes boolean, has_pass boolean, is_entitled boolean)
language sql stable as $$
  select consumers.super_watcher, exists (
    select from living_subscriptions(site, consumer) as subscription
    join plans on plans.site_id = site and plans._id = subscription.plan_id
    where entitlement_type = 'global' or playlist_ids && playlists
  ), exists (
    select from transactions
    where site_id = site and consumer_id = consumer and pass_plan_id is not null
      and expires_at > now()
  ) or exists (
    select from transactions
    where site_id = site and consumer_id = consumer and pass_plan_id is not null and expires_at is null
  ), exists (
    select from video_entitlements
    where site_id = site and consumer_id || '' = consumer and video_id || '' = video
      and (expires_at is null or expires_at > now())
  ) or exists (
    select from playlist_entitlements as given
    where given.site_id = site and consumer_id || '' = consumer and playlist_id || '' = any(playlists)
      and (expires_at is null or expires_at > now())
      -- Entitlements to a deleted playlist may still be there.
      and exists (select from public.playlists as there where there.site_id = site and there._id = playlist_id)
  )
  from consumers where site_id = site and _id = consumer
$$;

-- Recounts the payments of a consumer and lists their providers: there are few, and they may move to another consumer. It locks the
-- consumer first, so that it sees payments that another transaction has just committed.
create or replace function count_payments(of_site text, of_consumer text) returns void language plpgsql as $$
begin
  perform from consumers where site_id = of_site and _id = of_consumer for no key update;
  update consumers set transaction_count = transactions, pass_count = passes, payment_providers = providers
  from (
    select count(*) filter (where bought) as transactions, count(pass_plan_id) as passes,
      coalesce(array_agg(distinct provider order by provider) filter (where provider is not null), '{}') as providers
    from (
      select true as bought, pass_plan_id, provider from transactions
      where site_id = of_site and consumer_id = of_consumer
      union all
      select false, null, payment_provider from subscriptions where site_id = of_site and consumer_id = of_consumer
    ) as payments
  ) as counted
  where site_id = of_site and _id = of_consumer
    and (transaction_count, pass_count, payment_providers) is distinct from (transactions, passes, providers);
end $$;

-- Adds the given differences to the entitlement counts of consumers. It does not recount, because one consumer may have
-- thousands. An entitlement never moves to another consumer.
create or replace function count_entitlements(of_kind text, site_ids text[], consumer_ids text[], steps bigint[])
returns void language plpgsql as $$
begin
  -- Rows are locked in the order of their keys, to avoid deadlock.
  perform from consumers
  join unnest(site_ids, consumer_ids) as held (site, consumer) on site_id = site and _id = consumer
  order by site_id, _id for no key update of consumers;
  update consumers set
    video_count = video_count + case of_kind when 'video_entitlements' then step else 0 end,
    playlist_count = playlist_count + case of_kind when 'playlist_entitlements' then step else 0 end
  from unnest(site_ids, consumer_ids, steps) as held (site, consumer, step) where site_id = site and _id = consumer;
end $$;

-- Deletes up to `most` entitlements to a deleted playlist, as part of the write that deleted it: they have no events, and
-- undoing that write brings them back. Returns whether there may be others.
create or replace function end_entitlements(of_site text, of_playlist text, most integer) returns boolean
language plpgsql as $$
declare
  removal removed_playlists;
  ended   integer;
begin
  -- Undoing the deletion takes this row away: it waits for this batch, and there are no others then.
  select * into removal from removed_playlists where site_id = of_site and _id = of_playlist for update;
  if not found then
    return false;
  end if;
  perform set_config('zoetrope.follows', removal.xact || ' ' || removal.step, true);
  delete from playlist_entitlements where site_id = of_site and _id in (
    select _id from playlist_entitlements where site_id = of_site and playlist_id = of_playlist limit most
  );
  get diagnostics ended = row_count;
  perform set_config('zoetrope.follows', '', true);
  if ended = most then
    return true;
  end if;
  delete from removed_playlists where site_id = of_site and _id = of_playlist;
  return false;
end $$;
