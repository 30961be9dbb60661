-- The entitlements of a consumer are found in the order they are listed in, and counted in the index alone.

drop index video_entitlements_of_consumer;
create index video_entitlements_of_consumer on video_entitlements (site_id, consumer_id, created_at, _id);
drop index playlist_entitlements_of_consumer;
create index playlist_entitlements_of_consumer on playlist_entitlements (site_id, consumer_id, created_at, _id);

-- The favourites of a consumer likewise: no other index begins with the consumer, so that none is taken for as good.
alter table video_favorites drop constraint video_favorites_site_id_consumer_id_video_id_key;
drop index video_favorites_of_video;
alter table video_favorites add unique (site_id, video_id, consumer_id);

-- Whether somebody may watch is asked in words of its own, so that only these can answer it: by their estimates the planner
-- cannot tell them from the indexes above, where one consumer may have thousands, or from those of all who may watch one film.
create index video_entitlements_to_check on video_entitlements (site_id, (consumer_id || ''), (video_id || ''));
create index playlist_entitlements_to_check on playlist_entitlements (site_id, (consumer_id || ''), (playlist_id || ''));

-- What a consumer has that opens a video; nothing for a consumer that is not there.
-- `playlists` are those that the video is in, and those above them.
create or replace function standing_of(site text, consumer text, video text, playlists text[])
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
    select from playlist_entitlements
    where site_id = site and consumer_id || '' = consumer and playlist_id || '' = any(playlists)
      and (expires_at is null or expires_at > now())
  )
  from consumers where site_id = site and _id = consumer
$$;
