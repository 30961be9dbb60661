-- Content rules. features/content-rules has the rest: allowed-here.ts must agree with verdict_of().

create or replace function texts_in(list jsonb) returns text[]
language sql immutable parallel safe
return array(select jsonb_array_elements_text(coalesce(list, '[]')));

create or replace function countries_in(geographies jsonb) returns text[]
language sql immutable parallel safe
return (
  select coalesce(array_agg(country), '{}')
  from jsonb_array_elements(geographies) as geography, jsonb_array_elements_text(geography -> 'countries') as country
);

-- The places that a rule of a profile names, by its match_type; address ranges as `first-last`.
create or replace function places_named_by(rule jsonb) returns text[]
language sql immutable parallel safe
return case rule ->> 'match_type'
  when 'country' then texts_in(rule -> 'countries')
  when 'state' then texts_in(rule -> 'states')
  when 'city' then texts_in(rule -> 'cities')
  when 'zip_code' then texts_in(rule -> 'zip_codes')
  when 'dma_code' then texts_in(rule -> 'dma_codes')
  when 'ip_address' then texts_in(rule -> 'ip_addresses') || array(
    select (range ->> 'start') || '-' || (range ->> 'end') from jsonb_array_elements(rule -> 'ip_ranges') as range
  )
  else '{}'
end;

-- A rule of a video, a playlist or a category as it is evaluated. Distance 0 is the video, 1 its playlists, 2 its categories, 3 the
-- default profile. The three tables have the same columns.
create or replace function as_applied(distance integer, rule anyelement) returns applied_rule
language sql immutable parallel safe as $$
  select row(
    distance, rule._id, rule.policy, rule.priority, rule.stackable,
    case when rule.geographies = '[]' then 'global' else 'country' end, countries_in(rule.geographies),
    rule.device_ids, rule.device_category_ids, rule.domains, rule.starts_at, rule.ends_at
  )::applied_rule
$$;

create or replace function rules_of_profile(distance integer, profile content_rule_profiles) returns setof applied_rule
language sql stable as $$
  select distance, rule ->> '_id', rule ->> 'policy', (rule ->> 'priority')::integer, (rule ->> 'stackable')::boolean,
    rule ->> 'match_type', places_named_by(rule), texts_in(rule -> 'device_ids'),
    texts_in(rule -> 'device_category_ids'), texts_in(rule -> 'domains'),
    (rule ->> 'starts_at')::timestamptz, (rule ->> 'ends_at')::timestamptz
  from jsonb_array_elements(profile.content_rules) as rule where (rule ->> 'enabled')::boolean
$$;

-- The facts about a viewer that rules compare. The IP address is part of the place.
create or replace function located(viewer jsonb) returns jsonb
language sql immutable parallel safe
return jsonb_set(viewer, '{place,address}', coalesce(viewer -> 'address', 'null'));

-- `example.com` matches every port, `example.com:8080` one port, and `*.example.com` all hosts below it.
create or replace function is_within_domain(domain text, host text, port text) returns boolean
language sql immutable parallel safe
return host <> '' and split_part(domain, ':', 2) in ('', port) and case
  when left(domain, 2) = '*.'
    then right(host, length(split_part(domain, ':', 1)) - 1) = lower(substr(split_part(domain, ':', 1), 2))
  else host = lower(split_part(domain, ':', 1))
end;

-- Whether the address is one of `192.0.2.1`, `192.0.2.0/24` or `192.0.2.1-192.0.2.9`.
create or replace function is_among_addresses(address text, named text[]) returns boolean
language sql immutable parallel safe
return exists (
  select from unnest(named) as each
  where case
    when position('-' in each) > 0
      then address::inet between split_part(each, '-', 1)::inet and split_part(each, '-', 2)::inet
    else address::inet <<= each::inet
  end
);

-- The kinds of device that a viewer may be using: the kind that the device reports, unless the app is known to run on
-- others.
create or replace function devices_of_viewer(of_site text, viewer jsonb) returns text[]
language sql stable as $$
  with told as (
    select _id from devices where site_id = of_site and name = viewer ->> 'device'
  ), of_app as (
    select unnest(device_ids) as _id from apps where site_id = of_site and apps._id = viewer ->> 'app_id'
  ), both_say as (
    select _id from told where _id in (select _id from of_app)
  )
  select coalesce(array_agg(_id), '{}') from (
    select _id from both_say
    union all select _id from of_app where not exists (select from both_say)
    union all select _id from told where not exists (select from of_app)
  ) as devices
$$;

-- Why the place of a viewer does not match a rule, or null if it does. An unknown place never matches.
create or replace function place_unmet_by(rule applied_rule, place jsonb) returns text
language plpgsql immutable parallel safe as $$
begin
  return case
    when rule.match_type = 'ip_address' then
      case when is_among_addresses(nullif(place ->> 'address', ''), rule.places) then null else 'wrong_place' end
    when place -> rule.match_type is null then
      case rule.match_type when 'country' then 'country_unknown' else 'place_unknown' end
    when exists (
      select from unnest(rule.places) as named
      join jsonb_array_elements_text(case jsonb_typeof(place -> rule.match_type)
        when 'array' then place -> rule.match_type
        else jsonb_build_array(place -> rule.match_type)
      end) as known on lower(named) = lower(known)
    ) then null
    else case rule.match_type when 'country' then 'wrong_country' else 'wrong_place' end
  end;
end $$;

-- Why a rule does not apply to a viewer: the code of a refusal, or null if it applies. A playback URL from before the
-- video had rules does not contain the device or the site. A rule about these refuses then, and the player requests a
-- new URL.
create or replace function unmet_by(rule applied_rule, of_site text, viewer jsonb) returns text
language plpgsql stable as $$
declare
  is_told boolean := true;
  wrong_place text;
begin
  if now() < rule.starts_at or now() >= rule.ends_at then return 'wrong_time'; end if;
  if rule.device_ids <> '{}' or rule.device_category_ids <> '{}' then
    if not viewer ? 'device' then is_told := false;
    elsif not exists (
      select from devices where site_id = of_site and _id = any(devices_of_viewer(of_site, viewer))
        and (_id = any(rule.device_ids) or device_category_id = any(rule.device_category_ids))
    ) then return 'wrong_device'; end if;
  end if;
  if rule.domains <> '{}' then
    if not viewer ? 'host' then is_told := false;
    elsif not exists (
      select from unnest(rule.domains) as domain where is_within_domain(domain, viewer ->> 'host', viewer ->> 'port')
    ) then return 'wrong_site'; end if;
  end if;
  wrong_place := case when rule.match_type <> 'global' then place_unmet_by(rule, viewer -> 'place') end;
  return coalesce(wrong_place, case when not is_told then 'not_told' end);
end $$;

-- The code of the refusal when a rule that denies applies.
create or replace function denial_by(rule applied_rule) returns text
language sql immutable parallel safe as $$
  select case
    when rule.match_type = 'country' then 'wrong_country'
    when rule.match_type <> 'global' then 'wrong_place'
    when rule.device_ids <> '{}' or rule.device_category_ids <> '{}' then 'wrong_device'
    when rule.domains <> '{}' then 'wrong_site'
    when rule.starts_at is not null or rule.ends_at is not null then 'wrong_time'
    else 'not_shown'
  end
$$;

-- Evaluates rules in order. The first rule that applies decides. If none applies and some rule allows others, the
-- viewer is refused. Returns null without rules, an empty text if the viewer may watch, and the code of the refusal
-- otherwise.
create or replace function verdict_of(rules applied_rule[], of_site text, viewer jsonb) returns text
language plpgsql stable as $$
declare
  rule applied_rule;
  unmet text;
  refusal text;
begin
  if cardinality(rules) = 0 then return null; end if;
  for rule in
    select each.* from unnest(rules) as each
    where each.distance <= (
      select coalesce(min(nearer.distance), 1000) from unnest(rules) as nearer where not nearer.stackable
    )
    order by each.priority, each.distance, each._id
  loop
    unmet := unmet_by(rule, of_site, viewer);
    if unmet is null then return case rule.policy when 'allow' then '' else denial_by(rule) end; end if;
    if unmet in ('country_unknown', 'place_unknown', 'not_told') then return unmet; end if;
    if rule.policy = 'allow' then refusal := coalesce(refusal, unmet); end if;
  end loop;
  return coalesce(refusal, '');
end $$;

-- The rules for a record: its own if it is a video, those of its playlists and categories, those of profiles, and the
-- default profile if no profile is named.
create or replace function rules_around(
  of_site text, of_video text, own_profile text, around text[], category_ids text[]
) returns setof applied_rule
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

-- Whether a viewer may watch a video. related_playlist_ids names all playlists whose rules hold for it.
create or replace function content_verdict(video videos, viewer jsonb) returns text
language sql stable as $$
  select verdict_around(
    video.site_id, video._id, video.content_rule_profile_id, video.related_playlist_ids,
    category_ids_in(video.categories), viewer
  )
$$;

-- The same for what is in a playlist and has no rules of its own.
create or replace function playlist_verdict(playlist playlists, viewer jsonb) returns text
language sql stable as $$
  select verdict_around(playlist.site_id, null, null, playlist_line(playlist.site_id, playlist._id), '{}', viewer)
$$;

-- The rules of a channel except those of single videos, in the order in which they are tried, each with its effect on
-- a viewer: `open` or `shut` if it decides, `others` if it allows others only. Rules without effect are left out
-- unless they exclude others. A list evaluates each rule once with this, not once per video.
create or replace function rules_of_channel(of_site text, viewer jsonb)
returns table (kind text, source_id text, says text, stackable boolean)
language sql stable as $$
  with profiled as (
    select profile, applied from content_rule_profiles as profile
    cross join lateral rules_of_profile(0, profile) as applied
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
