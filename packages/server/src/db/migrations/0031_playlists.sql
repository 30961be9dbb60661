-- Playlists, the videos put in them by hand, and what follows from those in the records of both.

create table playlists (
  _id                            text collate "C" not null,
  site_id                        text collate "C" not null references channels on delete cascade,
  title                          text collate "C" not null,
  friendly_title                 text not null,
  internal_title                 text,
  description                    text,
  active                         boolean not null default true,
  keywords                       text[] not null default '{}',
  parent_id                      text collate "C",
  priority                       integer not null default 0,
  playlist_type                  text not null default 'manual' check (playlist_type in ('manual', 'category')),
  match_type                     text not null default 'any' check (match_type in ('any', 'all')),
  categories                     jsonb not null default '[]',
  sort_options                   jsonb not null default '[]',
  thumbnail_layout               text not null default 'landscape',
  custom_thumbnail_url           text,
  discovery_url                  text,
  purchase_required              boolean not null default false,
  purchase_price                 numeric,
  rental_required                boolean not null default false,
  rental_price                   numeric,
  rental_duration                integer,
  auto_update_video_entitlements boolean not null default false,
  auto_remove_video_entitlements boolean not null default false,
  marketplace_ids                jsonb not null default '{}',
  content_rule_profile_id        text,
  playlist_item_count            integer not null default 0,
  related_video_ids              text[] not null default '{}',
  images                         jsonb not null default '[]',
  thumbnails                     jsonb not null default '[]',
  search                         tsvector generated always as (search_words(title, keywords, '')) stored,
  created_at                     timestamptz(3) not null default now(),
  updated_at                     timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, parent_id) references playlists
);

create index playlists_by_creation on playlists (site_id, created_at, _id);
create index playlists_by_parent on playlists (site_id, parent_id, priority);
create index playlists_by_friendly_title on playlists (site_id, friendly_title);

-- Places grow and are never handed out again: whoever appends waits for nobody.
create sequence playlist_positions;

create table playlist_videos (
  site_id     text collate "C" not null,
  playlist_id text collate "C" not null,
  video_id    text collate "C" not null,
  position    bigint not null default nextval('playlist_positions'),
  -- Whether viewers see the video: then a page is found in the index alone.
  shown       boolean not null,
  primary key (site_id, playlist_id, video_id),
  foreign key (site_id, playlist_id) references playlists on delete cascade,
  foreign key (site_id, video_id) references videos on delete cascade
);

create index playlist_videos_shown on playlist_videos (site_id, playlist_id, position) include (video_id) where shown;
create index playlist_videos_of_video on playlist_videos (site_id, video_id);

create index videos_by_playlist on videos using gin (site_id, related_playlist_ids) where related_playlist_ids <> '{}';

-- What playlists say about their videos, after some came, went, or were hidden.
create function count_playlist_videos() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update playlists set playlist_item_count = playlist_item_count + steps.step,
      related_video_ids = first_videos(site_id, _id), updated_at = now()
    from (select site_id as site, playlist_id, count(*) filter (where shown) as step from new_rows group by 1, 2) as steps
    where site_id = steps.site and _id = steps.playlist_id;
  elsif tg_op = 'DELETE' then
    update playlists set playlist_item_count = playlist_item_count - steps.step,
      related_video_ids = first_videos(site_id, _id), updated_at = now()
    from (select site_id as site, playlist_id, count(*) filter (where shown) as step from old_rows group by 1, 2) as steps
    where site_id = steps.site and _id = steps.playlist_id;
  else
    update playlists set playlist_item_count = playlist_item_count + steps.step,
      related_video_ids = first_videos(site_id, _id)
    from (
      select site_id as site, playlist_id, sum(step) as step from (
        select site_id, playlist_id, 1 as step from new_rows where shown
        union all select site_id, playlist_id, -1 from old_rows where shown
      ) as both_rows group by 1, 2
    ) as steps
    where site_id = steps.site and _id = steps.playlist_id;
  end if;
  return null;
end $$;

create function first_videos(of_site text, of_playlist text) returns text[]
language sql stable
return array(
  select video_id from playlist_videos where site_id = of_site and playlist_id = of_playlist and shown
  order by position limit 100
);

create trigger playlist_videos_inserted after insert on playlist_videos
  referencing new table as new_rows for each statement execute function count_playlist_videos();
create trigger playlist_videos_updated after update on playlist_videos
  referencing old table as old_rows new table as new_rows for each statement execute function count_playlist_videos();
create trigger playlist_videos_deleted after delete on playlist_videos
  referencing old table as old_rows for each statement execute function count_playlist_videos();

-- A video that is hidden, removed, or back.
create function follow_video_in_playlists() returns trigger language plpgsql as $$
begin
  update playlist_videos set shown = new.active and new.deleted_at is null
  where site_id = new.site_id and video_id = new._id;
  return null;
end $$;

create trigger videos_in_playlists after update of active, deleted_at on videos for each row
  when ((old.active and old.deleted_at is null) is distinct from (new.active and new.deleted_at is null))
  execute function follow_video_in_playlists();

-- A playlist and those above it.
create function playlist_line(of_site text, of_playlist text) returns text[]
language sql stable
return (
  with recursive line as (
    select _id, parent_id, 1 as depth from playlists where site_id = of_site and _id = of_playlist
    union all
    select playlists._id, playlists.parent_id, depth + 1
    from line join playlists on playlists.site_id = of_site and playlists._id = line.parent_id where depth < 100
  )
  select coalesce(array_agg(_id order by depth), '{}') from line
);

create function playlists_of_video(of_site text, of_video text) returns text[]
language sql stable
return (
  select coalesce(array_agg(distinct id), '{}')
  from playlist_videos cross join unnest(playlist_line(of_site, playlist_id)) as id
  where site_id = of_site and video_id = of_video
);

-- Says in videos which playlists they are in. They are locked first: what is read then is the newest.
create function relate_videos(of_site text, ids text[]) returns void
language plpgsql as $$
begin
  perform from videos where site_id = of_site and _id = any(ids) order by _id for update;
  update videos set related_playlist_ids = playlists_of_video(site_id, _id), updated_at = now()
  where site_id = of_site and _id = any(ids)
    and related_playlist_ids is distinct from playlists_of_video(site_id, _id);
end $$;

-- The same for the next videos in or below a playlist; answers the last of them if there may be others.
create function relate_below(of_site text, of_playlist text, after text, batch integer) returns text
language plpgsql as $$
declare
  ids text[];
begin
  ids := array(
    select _id from videos
    where site_id = of_site and related_playlist_ids && array[of_playlist] and related_playlist_ids <> '{}' and _id > after
    order by _id limit batch
  );
  perform relate_videos(of_site, ids);
  return case when cardinality(ids) = batch then ids[batch] end;
end $$;

-- As in 0030, and playlists too.
create or replace function follow_category(of_site text, of_category text, after text, batch integer) returns text
language plpgsql as $$
declare
  ids text[];
begin
  update playlists set categories = followed_categories(site_id, categories), updated_at = now()
  where after = '' and site_id = of_site
    and categories @> jsonb_build_array(jsonb_build_object('category_id', of_category));
  ids := array(
    select _id from videos
    where site_id = of_site and _id > after and categories <> '[]'
      and categories @> jsonb_build_array(jsonb_build_object('category_id', of_category))
    order by _id limit batch for update
  );
  update videos set categories = followed_categories(site_id, categories), updated_at = now()
  where site_id = of_site and _id = any(ids)
    and categories is distinct from followed_categories(site_id, categories);
  return case when cardinality(ids) = batch then ids[batch] end;
end $$;
