-- Whether somebody may watch is a few steps in indexes, also for those who have had passes by the thousand; and a list that
-- leaves out what rules refuse tries each rule once, not once for each video.

drop index passes_of_consumer;
create index passes_of_consumer on transactions (site_id, consumer_id, expires_at) where pass_plan_id is not null;

-- The last column is an expression, and the check below asks for it in the same words: so this index alone can answer it. By
-- their estimates the planner cannot tell it from the index of all who may watch one film, which may be a million.
drop index video_entitlements_of_consumer;
create index video_entitlements_of_consumer on video_entitlements (site_id, consumer_id, (video_id || ''));
drop index playlist_entitlements_of_consumer;
create index playlist_entitlements_of_consumer on playlist_entitlements (site_id, consumer_id, (playlist_id || ''));

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
    where site_id = site and consumer_id = consumer and video_id || '' = video
      and (expires_at is null or expires_at > now())
  ) or exists (
    select from playlist_entitlements
    where site_id = site and consumer_id = consumer and playlist_id || '' = any(playlists)
      and (expires_at is null or expires_at > now())
  )
  from consumers where site_id = site and _id = consumer
$$;

-- The viewer as rules look at them: the address belongs to the place.
create function located(viewer jsonb) returns jsonb
language sql immutable parallel safe
return jsonb_set(viewer, '{place,address}', coalesce(viewer -> 'address', 'null'));

-- The rules around a record: its own where it is a video, those of the playlists and categories around it, those of
-- profiles, and the channel's own where no profile is named.
create function rules_around(of_site text, of_video text, own_profile text, around text[], category_ids text[])
returns setof applied_rule
language sql stable as $$
  with named as (
    select content_rule_profile_id as _id from playlists
    where site_id = of_site and _id = any(around) and content_rule_profile_id is not null
  )
  select applied.* from video_content_rules as rule cross join lateral as_applied(0, rule) as applied
  where site_id = of_site and video_id = of_video and enabled
  union all
  select applied.* from playlist_content_rules as rule cross join lateral as_applied(1, rule) as applied
  where site_id = of_site and playlist_id = any(around) and enabled
  union all
  select applied.* from category_content_rules as rule cross join lateral as_applied(2, rule) as applied
  where site_id = of_site and category_id = any(category_ids) and enabled
  union all
  select applied.* from content_rule_profiles as profile
  cross join lateral rules_of_profile(
    case when profile._id = own_profile then 0 when profile._id in (select _id from named) then 1 else 3 end, profile
  ) as applied
  where profile.site_id = of_site and (
    profile._id = own_profile or profile._id in (select _id from named)
    or (is_default_profile and own_profile is null and not exists (select from named))
  )
$$;

create or replace function verdict_around(
  of_site text, of_video text, own_profile text, around text[], category_ids text[], viewer jsonb
) returns text
language plpgsql stable as $$
begin
  return verdict_of(array(
    select rule from rules_around(of_site, of_video, own_profile, around, category_ids) as rule
  ), of_site, located(viewer));
end $$;

drop function rules_of_channel(text, jsonb);

-- The rules of a channel but those of single videos, in the order in which they are tried, each with what it says to a
-- viewer: `open` or `shut` where it decides, `others` where it allows others. Those that say nothing are left out, unless
-- they shut others out.
create function rules_of_channel(of_site text, viewer jsonb)
returns table (kind text, source_id text, says text, stackable boolean)
language sql stable as $$
  with profiled as (
    select profile, applied from content_rule_profiles as profile cross join lateral rules_of_profile(0, profile) as applied
    where site_id = of_site
  ), listed (kind, source_id, distance, rule) as (
    select 'playlist', playlist_id, 1, as_applied(1, rule) from playlist_content_rules as rule
    where site_id = of_site and enabled
    union all
    select 'category', category_id, 2, as_applied(2, rule) from category_content_rules as rule
    where site_id = of_site and enabled
    union all
    select 'profile', (profile)._id, 0, applied from profiled
    union all
    select 'playlist', playlists._id, 1, applied from profiled
    join playlists on playlists.site_id = of_site and content_rule_profile_id = (profile)._id
    union all
    select 'default', (profile)._id, 3, applied from profiled where (profile).is_default_profile
  ), tried as (
    select listed.*, unmet_by(rule, of_site, located(viewer)) as unmet from listed
  ), said as (
    select *, case
      when unmet is null then case (rule).policy when 'allow' then 'open' else 'shut' end
      when unmet in ('country_unknown', 'place_unknown') then 'shut'
      when (rule).policy = 'allow' then 'others'
    end as says from tried
  )
  select kind, source_id, says, (rule).stackable from said where says is not null or not (rule).stackable
  order by (rule).priority, distance, (rule)._id
$$;
