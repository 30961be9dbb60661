-- The encoded amount of each source, and what videos show about their files.

-- Adds up the windows of each track in made_tracks.
create or replace function add_made_window() returns trigger language plpgsql as $$
begin
  if old.made_at is not null then return null; end if;
  insert into made_tracks (site_id, source_id, track, windows, bytes)
  select site_id, new.source_id, new.track, 1, coalesce(new.bytes, 0) from sources where _id = new.source_id
  on conflict (site_id, source_id, track) do update set
    windows = made_tracks.windows + excluded.windows, bytes = made_tracks.bytes + excluded.bytes;
  return null;
end $$;

create or replace function take_made_windows() returns trigger language plpgsql as $$
begin
  update made_tracks set windows = made_tracks.windows - gone.windows, bytes = made_tracks.bytes - gone.bytes
  from (
    select source_id, track, count(*) as windows, coalesce(sum(bytes), 0) as bytes
    from removed where made_at is not null group by source_id, track
  ) as gone
  join sources on sources._id = gone.source_id
  where made_tracks.site_id = sources.site_id and made_tracks.source_id = gone.source_id
    and made_tracks.track = gone.track;
  return null;
end $$;

create or replace trigger media_windows_made after insert or update of made_at on media_windows
  for each row when (new.made_at is not null) execute function add_made_window();
create or replace trigger media_windows_removed after delete on media_windows
  referencing old table as removed for each statement execute function take_made_windows();

-- Copies files at external URLs to the row of their video. Writers lock that row first, and set its status themselves
-- (features/self-hosted).
create or replace function follow_self_hosted() returns trigger language plpgsql as $$
declare
  changed self_hosted_sources := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_op = 'DELETE' then
    delete from ad_timings where site_id = old.site_id and video_id = old.video_id and data_source_id = old._id;
  end if;
  update videos set
    updated_at = now(),
    data_sources = data_sources_of(videos),
    video_source_types = video_source_types_of(videos)
  where site_id = changed.site_id and _id = changed.video_id;
  return null;
end $$;

create or replace trigger self_hosted_sources_followed after insert or update or delete on self_hosted_sources
  for each row execute function follow_self_hosted();

-- The sweep of the media storage deletes the files of deleted sources and of uploaded audio tracks.
create or replace function note_ended_sources() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) select _id from gone on conflict do nothing;
  return null;
end $$;

create or replace trigger sources_ended after delete on sources
  referencing old table as gone for each statement execute function note_ended_sources();

create or replace function note_ended_audio() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) select file_id from gone where file_id is not null on conflict do nothing;
  return null;
end $$;

create or replace trigger audio_tracks_ended after delete on audio_tracks
  referencing old table as gone for each statement execute function note_ended_audio();
