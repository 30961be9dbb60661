-- What playlists show about their videos, and what is left of deleted ones.

create or replace function follow_playlist_videos() returns trigger language plpgsql as $$
begin
  perform count_playlist_videos(array_agg(site_id), array_agg(playlist_id), array_agg(step), now()) from (
    select site_id, playlist_id, case tg_op when 'INSERT' then 1 else -1 end * count(*) filter (where shown) as step
    from changed_rows group by 1, 2
  ) as counted;
  return null;
end $$;

create or replace trigger playlist_videos_inserted after insert on playlist_videos
  referencing new table as changed_rows for each statement execute function follow_playlist_videos();
create or replace trigger playlist_videos_deleted after delete on playlist_videos
  referencing old table as changed_rows for each statement execute function follow_playlist_videos();

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

-- Deletes the images of deleted playlists, and notes that their entitlements remain. Those of a deleted channel do not: its consumers
-- are deleted too, with all that they have.
create or replace function end_playlists() returns trigger language plpgsql as $$
begin
  delete from image_files where (site_id, owner_id) in (select site_id, _id from gone);
  insert into removed_playlists (_id, site_id, step)
  select gone._id, gone.site_id, current_step() from gone join channels using (site_id);
  return null;
end $$;

create or replace trigger playlists_ended after delete on playlists
  referencing old table as gone for each statement execute function end_playlists();
