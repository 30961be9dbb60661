-- Playlists that fill themselves have their videos everywhere: what fills one is written down once, as a path that the
-- categories of a video are tried with, and videos name these playlists beside those that they were put in.

-- What one rule wants of the categories of a video, or what it does not want.
create function category_path(rule jsonb, given jsonb) returns text
language sql immutable parallel safe
return 'exists($[*] ? (@.category_id == ' || (rule -> 'category_id')::text || coalesce((
  select ' && (' || string_agg('@.value[*] == ' || value::text, ' || ') || ')' from jsonb_array_elements(given) as value
), '') || '))';

-- Null for what is filled by hand, and where there are no rules: such a playlist is empty.
create function filling_path(playlist_type text, match_type text, rules jsonb) returns jsonpath
language sql immutable parallel safe
return case when playlist_type = 'category' then (
  select ('(' || string_agg(category_path(rule, rule -> 'value'), case match_type when 'all' then ' && ' else ' || ' end) || ')'
    || coalesce(string_agg(' && !' || category_path(rule, rule -> 'exclude_values'), '')
      filter (where jsonb_array_length(coalesce(rule -> 'exclude_values', '[]')) > 0), ''))::jsonpath
  from jsonb_array_elements(rules) as rule
) end;

alter table playlists add column filled_by jsonpath
  generated always as (filling_path(playlist_type, match_type, categories)) stored;

create index playlists_filled on playlists (site_id) where filled_by is not null;

-- The playlists that a video with these categories is in: put there by hand, or by rules.
create function playlists_with(of_site text, of_video text, entries jsonb) returns setof text
language sql stable rows 10 as $$
  select playlist_id from playlist_videos where site_id = of_site and video_id = of_video
  union all
  select _id from playlists where entries <> '[]' and site_id = of_site and filled_by is not null and entries @@ filled_by
$$;

drop function playlists_of_video(text, text);

-- The same with those above them.
create function playlists_of_video(of_site text, of_video text, entries jsonb) returns text[]
language sql stable
return (
  select coalesce(array_agg(distinct id), '{}')
  from playlists_with(of_site, of_video, entries) as playlist_id
  cross join unnest(playlist_line(of_site, playlist_id)) as id
);

create or replace function relate_videos(of_site text, ids text[]) returns void
language plpgsql as $$
begin
  perform from videos where site_id = of_site and _id = any(ids) order by _id for update;
  update videos set related_playlist_ids = playlists_of_video(site_id, _id, categories), updated_at = now()
  where site_id = of_site and _id = any(ids)
    and related_playlist_ids is distinct from playlists_of_video(site_id, _id, categories);
end $$;

-- Both for the next videos that are or should be in or below a playlist; answers the last of them if there may be others.
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

-- Whoever changes what is in playlists, by their rules or by their tree, keeps out those who change the categories of
-- videos, and the other way round. It comes before any video is held.
create function hold_playlists(of_site text) returns void
language sql as $$ select pg_advisory_xact_lock(hashtextextended('playlists of ' || of_site, 0)) $$;

create function share_playlists(of_site text) returns void
language sql as $$ select pg_advisory_xact_lock_shared(hashtextextended('playlists of ' || of_site, 0)) $$;

create function follow_categories() returns trigger language plpgsql as $$
begin
  new.related_playlist_ids := playlists_of_video(new.site_id, new._id, new.categories);
  return new;
end $$;

-- Triggers run in the order of their names: these before videos_written.
create trigger videos_filed before insert on videos
  for each row when (new.categories <> '[]') execute function follow_categories();
create trigger videos_refiled before update of categories on videos
  for each row when (new.categories is distinct from old.categories) execute function follow_categories();

-- The rules of a playlist as they are by now. One whose category is gone, or all the values that it wants, is met by no
-- video: where all rules must be met it stays, so that the playlist does not grow by what was taken away.
create function followed_rules(of_site text, match_type text, rules jsonb) returns jsonb
language sql stable
return (
  select coalesce(jsonb_agg(case when followed is null then rule else followed end order by place), '[]')
  from jsonb_array_elements(rules) with ordinality as listed (rule, place)
  cross join lateral (select followed_categories(of_site, jsonb_build_array(rule)) -> 0) as now_is (now_so)
  cross join lateral (
    select case when rule -> 'value' = '[]' or now_so -> 'value' <> '[]' then now_so end
  ) as tried (followed)
  where followed is not null or match_type = 'all'
);

-- As in 0031, and nobody changes the rules of a playlist meanwhile.
create or replace function follow_category(of_site text, of_category text, after text, batch integer) returns text
language plpgsql as $$
declare
  ids text[];
begin
  perform share_playlists(of_site);
  update playlists set categories = followed_rules(site_id, match_type, categories), updated_at = now()
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

update videos set related_playlist_ids = playlists_of_video(site_id, _id, categories)
where categories <> '[]' and related_playlist_ids is distinct from playlists_of_video(site_id, _id, categories);

-- Videos name all the playlists whose rules hold for them.
create or replace function content_verdict(video videos, viewer jsonb) returns text
language sql stable as $$
  select verdict_around(
    video.site_id, video._id, video.content_rule_profile_id, video.related_playlist_ids, category_ids_in(video.categories),
    viewer
  )
$$;

drop function playlists_around(videos);
drop function is_filled_with(playlists, jsonb);

-- What a consumer may watch by name or in a playlist, as they read it themselves.
create view own_video_entitlements as
  select _id, site_id, created_at, updated_at, consumer_id, video_id, transaction_id, transaction_type, expires_at
  from video_entitlements
  union all
  select left(md5(entitlement._id || video._id), 24), site_id, entitlement.created_at, entitlement.updated_at, consumer_id,
    video._id, transaction_id, transaction_type, expires_at
  from playlist_entitlements as entitlement join videos as video using (site_id)
  where related_playlist_ids && array[playlist_id] and related_playlist_ids <> '{}' and active and deleted_at is null;
