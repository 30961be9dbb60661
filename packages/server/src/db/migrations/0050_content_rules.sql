-- Who may watch a video, by country, kind of device, site and time.

create table video_content_rules (
  _id                 text collate "C" not null,
  site_id             text collate "C" not null,
  video_id            text collate "C" not null,
  name                text,
  policy              text not null default 'deny' check (policy in ('allow', 'deny')),
  priority            integer not null default 1,
  stackable           boolean not null default true,
  enabled             boolean not null default true,
  geographies         jsonb not null default '[]',
  device_ids          text[] not null default '{}',
  device_category_ids text[] not null default '{}',
  domains             text[] not null default '{}',
  starts_at           timestamptz(3),
  ends_at             timestamptz(3),
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index video_content_rules_of_video on video_content_rules (site_id, video_id, priority);

-- One rule as it is tried; `distance` grows from the video outwards, and `places` are what it names where.
create type applied_rule as (
  distance            integer,
  _id                 text,
  policy              text,
  priority            integer,
  stackable           boolean,
  match_type          text,
  places              text[],
  device_ids          text[],
  device_category_ids text[],
  domains             text[],
  starts_at           timestamptz,
  ends_at             timestamptz
);

create function countries_in(geographies jsonb) returns text[]
language sql immutable parallel safe
return (
  select coalesce(array_agg(country), '{}')
  from jsonb_array_elements(geographies) as geography, jsonb_array_elements_text(geography -> 'countries') as country
);

create function as_applied(distance integer, rule video_content_rules) returns applied_rule
language sql immutable parallel safe as $$
  select row(
    distance, rule._id, rule.policy, rule.priority, rule.stackable,
    case when rule.geographies = '[]' then 'global' else 'country' end, countries_in(rule.geographies),
    rule.device_ids, rule.device_category_ids, rule.domains, rule.starts_at, rule.ends_at
  )::applied_rule
$$;

-- `example.com` on every port, `example.com:8080` on one, `*.example.com` for all hosts below it.
create function is_within_domain(domain text, host text, port text) returns boolean
language sql immutable parallel safe
return host <> '' and split_part(domain, ':', 2) in ('', port) and case
  when left(domain, 2) = '*.' then right(host, length(split_part(domain, ':', 1)) - 1) = lower(substr(split_part(domain, ':', 1), 2))
  else host = lower(split_part(domain, ':', 1))
end;

-- The kinds of device that a viewer may be on: what the device says it is, unless the app is known to run on others.
create function devices_of_viewer(of_site text, viewer jsonb) returns text[]
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

-- What keeps a viewer from being one whom a rule concerns: the code of a refusal, or null if nothing does.
create function unmet_by(rule applied_rule, of_site text, viewer jsonb) returns text
language plpgsql stable as $$
begin
  if now() < rule.starts_at or now() >= rule.ends_at then return 'wrong_time'; end if;
  if rule.device_ids <> '{}' or rule.device_category_ids <> '{}' then
    if not exists (
      select from devices where site_id = of_site and _id = any(devices_of_viewer(of_site, viewer))
        and (_id = any(rule.device_ids) or device_category_id = any(rule.device_category_ids))
    ) then return 'wrong_device'; end if;
  end if;
  if rule.domains <> '{}' and not exists (
    select from unnest(rule.domains) as domain where is_within_domain(domain, viewer ->> 'host', viewer ->> 'port')
  ) then return 'wrong_site'; end if;
  if rule.match_type = 'global' then return null; end if;
  return place_unmet_by(rule, viewer -> 'place');
end $$;

-- The same for the place alone. A place that is not known is never the right one.
create function place_unmet_by(rule applied_rule, place jsonb) returns text
language sql immutable parallel safe as $$
  select case
    when place ->> rule.match_type is null then 'country_unknown'
    when place ->> rule.match_type = any(rule.places) then null
    else 'wrong_country'
  end
$$;

-- Why those whom a rule concerns are refused, where it says deny.
create function denial_by(rule applied_rule) returns text
language sql immutable parallel safe as $$
  select case
    when rule.match_type <> 'global' then 'wrong_country'
    when rule.device_ids <> '{}' or rule.device_category_ids <> '{}' then 'wrong_device'
    when rule.domains <> '{}' then 'wrong_site'
    when rule.starts_at is not null or rule.ends_at is not null then 'wrong_time'
    else 'not_shown'
  end
$$;

-- Tries rules in their order. The first that concerns the viewer decides; where none does, those that allow were meant
-- for others. Null without rules, empty for those who may watch, else the code of the refusal.
create function verdict_of(rules applied_rule[], of_site text, viewer jsonb) returns text
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
    if unmet = 'country_unknown' then return unmet; end if;
    if rule.policy = 'allow' then refusal := coalesce(refusal, unmet); end if;
  end loop;
  return coalesce(refusal, '');
end $$;

-- Whether a viewer may watch a video by the rules that are about it.
create function content_verdict(video videos, viewer jsonb) returns text
language plpgsql stable as $$
declare
  rules applied_rule[];
begin
  rules := array(
    select as_applied(0, rule) from video_content_rules as rule
    where site_id = video.site_id and video_id = video._id and enabled
  );
  return verdict_of(rules, video.site_id, viewer);
end $$;
