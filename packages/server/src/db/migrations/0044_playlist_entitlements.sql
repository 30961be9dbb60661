-- Who may watch the videos of a playlist.

create table playlist_entitlements (
  _id              text collate "C" not null,
  site_id          text collate "C" not null,
  consumer_id      text collate "C" not null,
  playlist_id      text collate "C" not null,
  transaction_id   text,
  transaction_type text,
  expires_at       timestamptz(3),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, consumer_id) references consumers on delete cascade
);

create index playlist_entitlements_of_consumer on playlist_entitlements (site_id, consumer_id, playlist_id);
create index playlist_entitlements_of_playlist on playlist_entitlements (site_id, playlist_id);

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
      and (expires_at is null or expires_at > now())
  ), exists (
    select from video_entitlements
    where site_id = site and consumer_id = consumer and video_id = video
      and (expires_at is null or expires_at > now())
  ) or exists (
    select from playlist_entitlements
    where site_id = site and consumer_id = consumer and playlist_id = any(playlists)
      and (expires_at is null or expires_at > now())
  )
  from consumers where site_id = site and _id = consumer
$$;
