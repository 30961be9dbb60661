-- What playlists say about their videos is counted by one after the other, and those of many in one order: whoever waited
-- for a playlist sees what others did to it meanwhile, and two who change several do not wait for each other.

create or replace function count_playlist_videos() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'INSERT' then
    select array_agg(site_id) as sites, array_agg(playlist_id) as ids, array_agg(step) as steps into changed from (
      select site_id, playlist_id, count(*) filter (where shown) as step from new_rows group by 1, 2
    ) as counted;
  elsif tg_op = 'DELETE' then
    select array_agg(site_id) as sites, array_agg(playlist_id) as ids, array_agg(step) as steps into changed from (
      select site_id, playlist_id, -count(*) filter (where shown) as step from old_rows group by 1, 2
    ) as counted;
  else
    select array_agg(site_id) as sites, array_agg(playlist_id) as ids, array_agg(step) as steps into changed from (
      select site_id, playlist_id, sum(step)::bigint as step from (
        select site_id, playlist_id, 1 as step from new_rows where shown
        union all select site_id, playlist_id, -1 from old_rows where shown
      ) as both_rows group by 1, 2
    ) as counted;
  end if;
  if changed.ids is null then return null; end if;

  perform from playlists join unnest(changed.sites, changed.ids) as held (site, playlist) on site_id = site and _id = playlist
  order by site_id, _id for no key update of playlists;
  -- A statement of its own, which sees what was committed while it waited.
  update playlists set playlist_item_count = playlist_item_count + step, related_video_ids = first_videos(site_id, _id),
    updated_at = case when tg_op = 'UPDATE' then updated_at else now() end
  from unnest(changed.sites, changed.ids, changed.steps) as counted (site, playlist, step)
  where site_id = site and _id = playlist;
  return null;
end $$;
