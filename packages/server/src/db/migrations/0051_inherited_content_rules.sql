-- Rules of playlists and categories, which hold for the videos in them.

create table playlist_content_rules (
  _id                 text collate "C" not null,
  site_id             text collate "C" not null,
  playlist_id         text collate "C" not null,
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
  foreign key (site_id, playlist_id) references playlists on delete cascade
);

create index playlist_content_rules_of_playlist on playlist_content_rules (site_id, playlist_id, priority);

create table category_content_rules (
  _id                 text collate "C" not null,
  site_id             text collate "C" not null,
  category_id         text collate "C" not null,
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
  foreign key (site_id, category_id) references categories on delete cascade
);

create index category_content_rules_of_category on category_content_rules (site_id, category_id, priority);

create function as_applied(distance integer, rule playlist_content_rules) returns applied_rule
language sql immutable parallel safe as $$
  select row(
    distance, rule._id, rule.policy, rule.priority, rule.stackable,
    case when rule.geographies = '[]' then 'global' else 'country' end, countries_in(rule.geographies),
    rule.device_ids, rule.device_category_ids, rule.domains, rule.starts_at, rule.ends_at
  )::applied_rule
$$;

create function as_applied(distance integer, rule category_content_rules) returns applied_rule
language sql immutable parallel safe as $$
  select row(
    distance, rule._id, rule.policy, rule.priority, rule.stackable,
    case when rule.geographies = '[]' then 'global' else 'country' end, countries_in(rule.geographies),
    rule.device_ids, rule.device_category_ids, rule.domains, rule.starts_at, rule.ends_at
  )::applied_rule
$$;

-- Whether a playlist that fills itself has a video with these categories.
create function is_filled_with(playlist playlists, entries jsonb) returns boolean
language sql immutable parallel safe as $$
  select coalesce(case playlist.match_type when 'all' then bool_and(is_wanted) else bool_or(is_wanted) end, false)
    and not coalesce(bool_or(is_unwanted), false)
  from (
    select exists (
      select from jsonb_array_elements(entries) as entry
      where entry -> 'category_id' = rule -> 'category_id' and (
        jsonb_array_length(coalesce(rule -> 'value', '[]')) = 0
        or entry -> 'value' ?| array(select jsonb_array_elements_text(rule -> 'value'))
      )
    ) as is_wanted, exists (
      select from jsonb_array_elements(entries) as entry
      where entry -> 'category_id' = rule -> 'category_id'
        and entry -> 'value' ?| array(select jsonb_array_elements_text(coalesce(rule -> 'exclude_values', '[]')))
    ) as is_unwanted
    from jsonb_array_elements(playlist.categories) as rule
  ) as tried
$$;

-- The playlists whose rules hold for a video: those it was put in and those that fill themselves with it, and all above
-- them. Of the second kind only those are tried that have rules, or lie below one that has.
create function playlists_around(video videos) returns text[]
language plpgsql stable as $$
begin
  if video.categories = '[]' then return video.related_playlist_ids; end if;
  return video.related_playlist_ids || array(
    with recursive ruled as (
      select _id from playlists
      where site_id = video.site_id
        and _id in (select playlist_id from playlist_content_rules where site_id = video.site_id)
      union
      select playlists._id from ruled join playlists on site_id = video.site_id and parent_id = ruled._id
    )
    select distinct unnest(playlist_line(video.site_id, playlist._id))
    from playlists as playlist join ruled on ruled._id = playlist._id
    where site_id = video.site_id and playlist_type = 'category' and is_filled_with(playlist, video.categories)
  );
end $$;

-- As in 0050, and by the rules of playlists and categories.
create or replace function content_verdict(video videos, viewer jsonb) returns text
language plpgsql stable as $$
declare
  rules applied_rule[];
begin
  rules := array(
    select as_applied(0, rule) from video_content_rules as rule
    where site_id = video.site_id and video_id = video._id and enabled
    union all
    select as_applied(1, rule) from playlist_content_rules as rule
    where site_id = video.site_id and playlist_id = any(playlists_around(video)) and enabled
    union all
    select as_applied(2, rule) from category_content_rules as rule
    where site_id = video.site_id and enabled
      and category_id in (select entry ->> 'category_id' from jsonb_array_elements(video.categories) as entry)
  );
  return verdict_of(rules, video.site_id, viewer);
end $$;
