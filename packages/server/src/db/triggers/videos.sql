-- The triggers of videos, in the order in which they run. PostgreSQL runs BEFORE triggers of the same event by name:
-- the names of the first group are chosen for this, and test/trigger-order.test.ts states the order. A new BEFORE
-- trigger must come before videos_written.

-- 1. BEFORE, when categories change: sets the playlists that contain the video. The trigger is called videos_filed on
-- insert, and videos_refiled on update.
create or replace function follow_categories() returns trigger language plpgsql as $$
begin
  new.related_playlist_ids := playlists_of_video(new.site_id, new._id, new.categories);
  return new;
end $$;

create or replace trigger videos_filed before insert on videos
  for each row when (new.categories <> '[]') execute function follow_categories();
create or replace trigger videos_refiled before update of categories on videos
  for each row when (new.categories is distinct from old.categories) execute function follow_categories();

-- 2. BEFORE, when the film changes: sets what the record shows about files. It reads sources, so writers update the
-- source before the video. It is limited to these columns, so that other updates cost less.
create or replace function follow_sources() returns trigger language plpgsql as $$
begin
  if new.media_source_id is not null or new.data_sources <> '[]' then
    new.data_sources := data_sources_of(new);
    new.video_source_types := video_source_types_of(new);
  end if;
  return new;
end $$;

create or replace trigger videos_sourced
  before update of status, duration, thumbnails, media_source_id, pending_source_id on videos
  for each row execute function follow_sources();

-- 3. BEFORE, always: videos_written in generated/records.sql builds the record. It reads every column, so it runs after all
-- triggers that set one.

-- AFTER, by row. These are independent of each other. This one moves ad breaks to the new film when a film is replaced.
create or replace function move_ad_timings() returns trigger language plpgsql as $$
begin
  update ad_timings set data_source_id = new.media_source_id, updated_at = now()
  where site_id = new.site_id and video_id = new._id and data_source_id = old.media_source_id;
  return null;
end $$;

create or replace trigger videos_ad_timings after update of media_source_id on videos
  for each row when (old.media_source_id <> new.media_source_id) execute function move_ad_timings();

-- Playlists show a video only while it is active and not deleted.
create or replace function follow_video_in_playlists() returns trigger language plpgsql as $$
begin
  update playlist_videos set shown = new.active and new.deleted_at is null
  where site_id = new.site_id and video_id = new._id;
  return null;
end $$;

create or replace trigger videos_in_playlists after update of active, deleted_at on videos for each row
  when ((old.active and old.deleted_at is null) is distinct from (new.active and new.deleted_at is null))
  execute function follow_video_in_playlists();

-- The sweep of the media storage deletes the image.
create or replace function note_replaced_poster() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) values (old.poster_image_id) on conflict do nothing;
  return null;
end $$;

create or replace trigger videos_poster_replaced after update of poster_image_id on videos
  for each row when (old.poster_image_id is distinct from new.poster_image_id and old.poster_image_id is not null)
  execute function note_replaced_poster();

-- Notifies event streams, which show progress in the dashboard.
create or replace function tell_of_media() returns trigger language plpgsql as $$
begin
  perform pg_notify('video_media', new.site_id || '/' || new._id);
  return null;
end $$;

create or replace trigger videos_told
  after update of status, status_reason, playable_at, complete_at, renditions, thumbnails, media_source_id,
    pending_source_id, deleted_at on videos
  for each row when (
    (old.status, old.status_reason, old.playable_at, old.complete_at, old.deleted_at, old.renditions, old.data_sources)
    is distinct from
    (new.status, new.status_reason, new.playable_at, new.complete_at, new.deleted_at, new.renditions, new.data_sources)
  ) execute function tell_of_media();

-- AFTER, by statement. The sweep of the media storage deletes the images.
create or replace function note_ended_posters() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) select poster_image_id from gone where poster_image_id is not null
  on conflict do nothing;
  return null;
end $$;

create or replace trigger videos_posters_ended after delete on videos
  referencing old table as gone for each statement execute function note_ended_posters();

-- Removes permanently deleted videos from programme guides.
create or replace function forget_guided_videos() returns trigger language plpgsql as $$
begin
  update program_guides as guide set updated_at = now(), video_ids = array(
    select kept.id from unnest(guide.video_ids) with ordinality as kept (id, place)
    where not exists (select from gone where gone.site_id = guide.site_id and gone._id = kept.id)
    order by kept.place
  )
  from gone where guide.site_id = gone.site_id and guide.video_ids @> array[gone._id];
  return null;
end $$;

create or replace trigger videos_unguided after delete on videos
  referencing old table as gone for each statement execute function forget_guided_videos();

-- Other tables whose triggers write to videos. This one copies chapters to the row. Writers lock the row of the video
-- first, so that each sees what the previous one wrote.
create or replace function show_segments() returns trigger language plpgsql as $$
declare
  segment segments := case when tg_op = 'DELETE' then old else new end;
begin
  update videos set
    updated_at = now(),
    segments = coalesce((
      select jsonb_agg(
        jsonb_build_object('_id', _id, 'description', description, 'start', start, 'end', "end") order by start, _id
      ) from segments where site_id = segment.site_id and video_id = segment.video_id
    ), '[]')
  where site_id = segment.site_id and _id = segment.video_id;
  return null;
end $$;

create or replace trigger segments_shown after insert or update or delete on segments
  for each row execute function show_segments();

create or replace function follow_rating() returns trigger language plpgsql as $$
begin
  update videos set
    rating_count = rating_count + change.count,
    rating_sum = rating_sum + change.sum,
    rating = (rating_sum + change.sum) / nullif(rating_count + change.count, 0)
  from (select
    (new is not null)::int - (old is not null)::int as count,
    coalesce(new.rating::numeric, 0) - coalesce(old.rating::numeric, 0) as sum
  ) as change
  where site_id = coalesce(new.site_id, old.site_id) and _id = coalesce(new.video_id, old.video_id);
  return null;
end $$;

create or replace trigger video_ratings_counted after insert or update of rating or delete on video_ratings
  for each row execute function follow_rating();
