-- Which playlists a video is in, and which videos a playlist has.

-- The lock for changes to the rules or the tree of playlists. share_playlists is the shared lock for changes to the
-- categories of videos. Without them, two concurrent transactions that write a rule and a video would not see each
-- other. Both are taken before any row of videos is locked.
create or replace function hold_playlists(of_site text) returns void
language sql as $$ select pg_advisory_xact_lock(hashtextextended('playlists of ' || of_site, 0)) $$;

create or replace function share_playlists(of_site text) returns void
language sql as $$ select pg_advisory_xact_lock_shared(hashtextextended('playlists of ' || of_site, 0)) $$;

-- Adds differences to the numbers of videos that viewers see in playlists, and lists the first 100 again. Playlists are locked
-- first, so that the update sees what other transactions have committed, and in the order of their keys, to avoid deadlock.
create or replace function count_playlist_videos(
  sites text[], ids text[], steps bigint[], changed_at timestamptz default null
) returns void language plpgsql as $$
begin
  if ids is null then return; end if;
  perform from playlists join unnest(sites, ids) as held (site, playlist) on site_id = site and _id = playlist
  order by site_id, _id for no key update of playlists;
  -- A separate statement, because it has to see what was committed while this one waited for the locks.
  update playlists set
    playlist_item_count = playlist_item_count + step,
    related_video_ids = array(
      select video_id from playlist_videos as member
      where member.site_id = site and playlist_id = playlist and shown order by position limit 100
    ),
    updated_at = coalesce(changed_at, updated_at)
  from unnest(sites, ids, steps) as counted (site, playlist, step)
  where site_id = site and _id = playlist;
end $$;

-- A playlist and its ancestors.
create or replace function playlist_line(of_site text, of_playlist text) returns text[]
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

-- The playlists that contain a video with these categories, by hand or by rules.
create or replace function playlists_with(of_site text, of_video text, entries jsonb) returns setof text
language sql stable rows 10 as $$
  select playlist_id from playlist_videos where site_id = of_site and video_id = of_video
  union all
  select _id from playlists
  where entries <> '[]' and site_id = of_site and filled_by is not null and entries @@ filled_by
$$;

-- The same, with their ancestors.
create or replace function playlists_of_video(of_site text, of_video text, entries jsonb) returns text[]
language sql stable
return (
  select coalesce(array_agg(distinct id), '{}')
  from playlists_with(of_site, of_video, entries) as playlist_id
  cross join unnest(playlist_line(of_site, playlist_id)) as id
);

-- Sets related_playlist_ids of videos. It locks them first, so that it reads the newest state.
create or replace function relate_videos(of_site text, ids text[]) returns void
language plpgsql as $$
begin
  perform from videos where site_id = of_site and _id = any(ids) order by _id for update;
  update videos set related_playlist_ids = playlists_of_video(site_id, _id, categories), updated_at = now()
  where site_id = of_site and _id = any(ids)
    and related_playlist_ids is distinct from playlists_of_video(site_id, _id, categories);
end $$;

-- The same for the next batch of videos that are, or should be, in or below a playlist. Returns the last id if there
-- may be more.
create or replace function relate_below(of_site text, of_playlist text, after text, batch integer) returns text
language plpgsql as $$
declare
  filling jsonpath := (select filled_by from playlists where site_id = of_site and _id = of_playlist);
  ids text[];
begin
  ids := array(
    select _id from videos
    where site_id = of_site and _id > after and (
      (related_playlist_ids && array[of_playlist] and related_playlist_ids <> '{}')
      or (categories @@ filling and categories <> '[]')
    )
    order by _id limit batch
  );
  perform relate_videos(of_site, ids);
  return case when cardinality(ids) = batch then ids[batch] end;
end $$;

-- The videos that viewers can watch in a playlist or below it. A function, so that lists of them can be paged.
create or replace function videos_within(of_site text, of_playlist text) returns setof videos language sql stable as $$
  select * from videos
  where site_id = of_site and related_playlist_ids && array[of_playlist] and related_playlist_ids <> '{}'
    and active and status <> 'failed' and deleted_at is null
$$;
