-- Views, which the API reads like tables.

-- Everything that a video can play from.
create or replace view data_sources as
select _id, site_id, video_id, duration, created_at, updated_at from sources where replaced_at is null
union all
select _id, site_id, video_id, duration::double precision, created_at, updated_at from self_hosted_sources;

-- What subscriptions open: everything, or one row for each playlist of the plan.
create or replace view subscription_entitlements as
  select case when playlist_id is null then subscriptions._id
              else left(md5(subscriptions._id || playlist_id), 24) end as _id,
    site_id, subscriptions.created_at, subscriptions.updated_at, consumer_id, subscriptions._id as subscription_id,
    plan_id, plans.name as plan_name, entitlement_type, playlist_id, current_period_end_at as expires_at
  from subscriptions
  join plans using (site_id)
  left join lateral unnest(playlist_ids) as playlist_id on entitlement_type = 'tiered'
  where plans._id = plan_id and holds(status, cancel_at_period_end, current_period_end_at);

-- What a consumer may watch by name or in a playlist, as they read it themselves.
create or replace view own_video_entitlements as
  select _id, site_id, created_at, updated_at, consumer_id, video_id, transaction_id, transaction_type, expires_at
  from video_entitlements
  union all
  select left(md5(entitlement._id || video._id), 24), entitlement.site_id, entitlement.created_at,
    entitlement.updated_at, consumer_id, video._id, transaction_id, transaction_type, expires_at
  from playlist_entitlements as entitlement cross join lateral videos_within(site_id, playlist_id) as video;

-- The publishers of a channel as the API shows them, and the people who are invited to it.
create or replace view users as
select
  publishers._id, site_id, memberships.created_at,
  greatest(publishers.updated_at, memberships.updated_at) as updated_at,
  email collate "C" as email, first_name, last_name, phone_number, role, array[role] as role_ids, time_zone,
  notifications_enabled, sign_in_count, current_sign_in_at, current_sign_in_ip, last_sign_in_at, last_sign_in_ip,
  words_in(coalesce(name, '') || ' ' || email) as search
from memberships join publishers on publishers._id = publisher_id
union all
select
  _id, site_id, created_at, updated_at, email collate "C", first_name, last_name, phone_number, role, array[role], time_zone,
  notifications_enabled, 0, null, null, null, null, words_in(concat_ws(' ', first_name, last_name, email))
from invitations where expires_at > now();

-- The changes of videos as the API shows them.
create or replace view video_versions as
select version._id collate "C" as _id, site_id, version.created_at, version.created_at as updated_at, videos._id as video_id,
  number, caller, author, fields, before, after
from videos cross join lateral versions_of_video(videos) as version;
