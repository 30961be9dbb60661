-- The triggers of videos, in the order in which they run. PostgreSQL runs triggers of the same event by name:
-- test/trigger-order.test.ts states the order where it matters.

-- 1. BEFORE, when the film changes: sets what the record shows about files. It reads sources, so writers update the
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

-- 2. BEFORE, always: finds the playlists that contain the video when its categories have changed, and makes the record. It reads
-- every column, so it must be the last trigger that sets one.
create or replace function write_video() returns trigger language plpgsql as $$
begin
  if new.categories is distinct from coalesce(old.categories, '[]') then
    new.related_playlist_ids := playlists_of_video(new.site_id, new._id, new.categories);
  end if;
  new.record := video_record(new);
  return new;
end $$;

create or replace trigger videos_written before insert or update on videos
  for each row execute function write_video();

-- AFTER, by row. Passes changes on to other tables and to listeners, after videos_history: the events that follow from a change
-- come after it.
create or replace function pass_on_video() returns trigger language plpgsql as $$
declare
  is_shown constant boolean := new.active and new.deleted_at is null;
  changed  text[];
begin
  -- Ad breaks move to the new film when a film is replaced.
  if old.media_source_id <> new.media_source_id then
    update ad_timings set data_source_id = new.media_source_id, updated_at = now()
    where site_id = new.site_id and video_id = new._id and data_source_id = old.media_source_id;
  end if;
  -- Playlists show a video only while it is active and not deleted.
  if is_shown <> (old.active and old.deleted_at is null) then
    with shown_again as (
      update playlist_videos set shown = is_shown
      where site_id = new.site_id and video_id = new._id and shown <> is_shown returning playlist_id
    )
    select array_agg(playlist_id) into changed from shown_again;
    perform count_playlist_videos(
      array_agg(new.site_id), array_agg(id), array_agg(case when is_shown then 1 else -1 end::bigint)
    ) from unnest(changed) as id;
  end if;
  -- The sweep of the media storage deletes a replaced image.
  if old.poster_image_id is distinct from new.poster_image_id and old.poster_image_id is not null then
    insert into ended_media (_id) values (old.poster_image_id) on conflict do nothing;
  end if;
  -- Event streams show progress in the dashboard.
  if (old.status, old.status_reason, old.playable_at, old.complete_at, old.deleted_at, old.renditions, old.data_sources)
    is distinct from
    (new.status, new.status_reason, new.playable_at, new.complete_at, new.deleted_at, new.renditions, new.data_sources)
  then
    perform pg_notify('video_media', new.site_id || '/' || new._id);
  end if;
  return null;
end $$;

create or replace trigger videos_passed_on
  after update of active, deleted_at, media_source_id, pending_source_id, poster_image_id, status, status_reason, playable_at,
    complete_at, renditions, thumbnails on videos
  for each row execute function pass_on_video();

-- AFTER, by statement. Videos that are deleted for good leave programme guides, and their images are deleted: by the sweep of the
-- media storage, or here.
create or replace function end_videos() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) select poster_image_id from gone where poster_image_id is not null
  on conflict do nothing;
  delete from image_files where (site_id, owner_id) in (select site_id, _id from gone);
  update program_guides as guide set updated_at = now(), video_ids = array(
    select kept.id from unnest(guide.video_ids) with ordinality as kept (id, place)
    where not exists (select from gone where gone.site_id = guide.site_id and gone._id = kept.id)
    order by kept.place
  )
  from gone where guide.site_id = gone.site_id and guide.video_ids @> array[gone._id];
  return null;
end $$;

create or replace trigger videos_ended after delete on videos
  referencing old table as gone for each statement execute function end_videos();

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
