-- Profiles: rules written down once, for the videos and playlists that name them, and for all that name none.

create table content_rule_profiles (
  _id                text collate "C" not null,
  site_id            text collate "C" not null references channels on delete cascade,
  title              text collate "C",
  description        text,
  is_default_profile boolean not null default false,
  content_rules      jsonb not null default '[]',
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create unique index content_rule_profiles_default on content_rule_profiles (site_id) where is_default_profile;

alter table videos add foreign key (site_id, content_rule_profile_id) references content_rule_profiles;
alter table playlists add foreign key (site_id, content_rule_profile_id) references content_rule_profiles;

create index videos_by_content_rule_profile on videos (site_id, content_rule_profile_id)
  where content_rule_profile_id is not null;
create index playlists_by_content_rule_profile on playlists (site_id, content_rule_profile_id)
  where content_rule_profile_id is not null;

create function texts_in(list jsonb) returns text[]
language sql immutable parallel safe
return array(select jsonb_array_elements_text(coalesce(list, '[]')));

-- What a rule of a profile names where: the list of its match_type; addresses, networks, and ranges as `first-last`.
create function places_named_by(rule jsonb) returns text[]
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

create function rules_of_profile(distance integer, profile content_rule_profiles) returns setof applied_rule
language sql stable as $$
  select distance, rule ->> '_id', rule ->> 'policy', (rule ->> 'priority')::integer, (rule ->> 'stackable')::boolean,
    rule ->> 'match_type', places_named_by(rule), texts_in(rule -> 'device_ids'), texts_in(rule -> 'device_category_ids'),
    texts_in(rule -> 'domains'), (rule ->> 'starts_at')::timestamptz, (rule ->> 'ends_at')::timestamptz
  from jsonb_array_elements(profile.content_rules) as rule where (rule ->> 'enabled')::boolean
$$;

-- `192.0.2.1`, `192.0.2.0/24` or `192.0.2.1-192.0.2.9`.
create function is_among_addresses(address text, named text[]) returns boolean
language sql immutable parallel safe
return exists (
  select from unnest(named) as each
  where case
    when position('-' in each) > 0
      then address::inet between split_part(each, '-', 1)::inet and split_part(each, '-', 2)::inet
    else address::inet <<= each::inet
  end
);

-- As in 0050, and finer than countries.
create or replace function place_unmet_by(rule applied_rule, place jsonb) returns text
language sql immutable parallel safe as $$
  select case
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
  end
$$;

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

-- As in 0050: what is not known is never the right place.
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
    if unmet in ('country_unknown', 'place_unknown') then return unmet; end if;
    if rule.policy = 'allow' then refusal := coalesce(refusal, unmet); end if;
  end loop;
  return coalesce(refusal, '');
end $$;

-- As in 0051; playlists with a profile have rules too.
create or replace function playlists_around(video videos) returns text[]
language plpgsql stable as $$
begin
  if video.categories = '[]' then return video.related_playlist_ids; end if;
  return video.related_playlist_ids || array(
    with recursive ruled as (
      select _id from playlists
      where site_id = video.site_id and (
        content_rule_profile_id is not null
        or _id in (select playlist_id from playlist_content_rules where site_id = video.site_id)
      )
      union
      select playlists._id from ruled join playlists on site_id = video.site_id and parent_id = ruled._id
    )
    select distinct unnest(playlist_line(video.site_id, playlist._id))
    from playlists as playlist join ruled on ruled._id = playlist._id
    where site_id = video.site_id and playlist_type = 'category' and is_filled_with(playlist, video.categories)
  );
end $$;

-- As in 0051, and by profiles: that of the video, those of its playlists, and the channel's own where there are none.
create or replace function content_verdict(video videos, viewer jsonb) returns text
language plpgsql stable as $$
declare
  around text[] := playlists_around(video);
  profiles text[] := array(
    select content_rule_profile_id from playlists
    where site_id = video.site_id and _id = any(around) and content_rule_profile_id is not null
  );
  rules applied_rule[];
begin
  rules := array(
    select as_applied(0, rule) from video_content_rules as rule
    where site_id = video.site_id and video_id = video._id and enabled
    union all
    select as_applied(1, rule) from playlist_content_rules as rule
    where site_id = video.site_id and playlist_id = any(around) and enabled
    union all
    select as_applied(2, rule) from category_content_rules as rule
    where site_id = video.site_id and enabled
      and category_id in (select entry ->> 'category_id' from jsonb_array_elements(video.categories) as entry)
    union all
    select rule from content_rule_profiles as profile
    cross join lateral rules_of_profile(
      case
        when profile._id = video.content_rule_profile_id then 0
        when profile._id = any(profiles) then 1
        else 3
      end, profile
    ) as rule
    where profile.site_id = video.site_id and (
      profile._id = video.content_rule_profile_id or profile._id = any(profiles)
      or (is_default_profile and video.content_rule_profile_id is null and profiles = '{}')
    )
  );
  return verdict_of(rules, video.site_id, jsonb_set(viewer, '{place,address}', coalesce(viewer -> 'address', 'null')));
end $$;
