-- What playlists show about their videos and pictures.

-- Counts the videos that viewers see. Playlists are locked first, so that the update sees what other transactions have
-- committed, and in the order of their keys, to avoid deadlock.
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

  perform from playlists
  join unnest(changed.sites, changed.ids) as held (site, playlist) on site_id = site and _id = playlist
  order by site_id, _id for no key update of playlists;
  -- A separate statement, because it has to see what was committed while this one waited for the locks.
  update playlists set playlist_item_count = playlist_item_count + step, related_video_ids = first_videos(site_id, _id),
    updated_at = case when tg_op = 'UPDATE' then updated_at else now() end
  from unnest(changed.sites, changed.ids, changed.steps) as counted (site, playlist, step)
  where site_id = site and _id = playlist;
  return null;
end $$;

create or replace trigger playlist_videos_inserted after insert on playlist_videos
  referencing new table as new_rows for each statement execute function count_playlist_videos();
create or replace trigger playlist_videos_updated after update on playlist_videos
  referencing old table as old_rows new table as new_rows for each statement execute function count_playlist_videos();
create or replace trigger playlist_videos_deleted after delete on playlist_videos
  referencing old table as old_rows for each statement execute function count_playlist_videos();

create or replace function keep_playlist_thumbnails() returns trigger language plpgsql as $$
begin
  new.thumbnails := shown_thumbnails(new.custom_thumbnail_url, new.custom_thumbnail_facts, '[]');
  return new;
end $$;

create or replace trigger playlists_thumbnails
  before insert or update of custom_thumbnail_url, custom_thumbnail_facts on playlists
  for each row execute function keep_playlist_thumbnails();

-- Entitlements outlive their playlist for a while (end_entitlements() in functions/money.sql), so they have no foreign key. This
-- does what it would: the playlist is there, and stays there until the entitlement is committed.
create or replace function check_entitled_playlist() returns trigger language plpgsql as $$
begin
  perform from playlists where site_id = new.site_id and _id = new.playlist_id for key share;
  if not found then
    raise foreign_key_violation using message = 'There is no such playlist.';
  end if;
  return new;
end $$;

create or replace trigger playlist_entitlements_checked before insert or update of site_id, playlist_id on playlist_entitlements
  for each row execute function check_entitled_playlist();

-- Not for the playlists of a channel that is deleted: its consumers are deleted too, with all that they have.
create or replace function note_removed_playlists() returns trigger language plpgsql as $$
begin
  insert into removed_playlists (_id, site_id, step)
  select gone._id, gone.site_id, current_step() from gone join channels using (site_id);
  return null;
end $$;

create or replace trigger playlists_removed after delete on playlists
  referencing old table as gone for each statement execute function note_removed_playlists();
