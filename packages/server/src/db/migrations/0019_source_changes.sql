-- A new film for a video that plays waits beside the old one until it can be played itself. Records tell of the files behind
-- a video, and whoever watches one become ready is told of every change.

alter table sources
  add column status      text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
  -- Since when no video is made from it any more.
  add column replaced_at timestamptz(3),
  add column current     boolean not null generated always as (status = 'ready' and replaced_at is null) stored,
  -- What a record shows of the facts.
  add column duration    double precision generated always as ((facts ->> 'duration')::double precision) stored,
  add column container   text generated always as (facts ->> 'container') stored,
  add column width       integer generated always as ((facts -> 'video' ->> 'width')::integer) stored,
  add column height      integer generated always as ((facts -> 'video' ->> 'height')::integer) stored,
  add column video_codec text generated always as (facts -> 'video' ->> 'codec') stored,
  add column audio_codec text generated always as (facts -> 'audio' ->> 'codec') stored;

-- The source that is to take the place of media_source_id.
alter table videos add column pending_source_id text collate "C";
create index videos_with_pending on videos (pending_source_id) where pending_source_id is not null;
-- What ought to move on, and is looked after.
create index videos_under_way on videos (updated_at) where status in ('uploading', 'processing') and deleted_at is null;
-- And sources that ought to become ready.
create index sources_under_way on sources (updated_at) where status = 'processing' and replaced_at is null;
create index videos_incomplete on videos (updated_at)
  where status = 'ready' and complete_at is null and media_source_id is not null and deleted_at is null;

update sources set status = case videos.status when 'ready' then 'ready' when 'failed' then 'failed' else 'processing' end,
  replaced_at = case when media_source_id is distinct from sources._id then now() end
from videos where videos.site_id = sources.site_id and videos._id = sources.video_id;

create function data_sources_of(video videos) returns jsonb
language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    '_id', _id,
    'active', _id = video.media_source_id and status = 'ready',
    'duration', round(duration)::integer,
    'status', status,
    'thumbnails', case when _id = video.media_source_id and status = 'ready' then video.thumbnails else '[]' end
  ) order by _id = video.media_source_id desc), '[]')
  from sources where site_id = video.site_id and video_id = video._id
    and _id in (video.media_source_id, video.pending_source_id)
$$;

create function follow_sources() returns trigger language plpgsql as $$
begin
  if new.media_source_id is not null then
    new.data_sources := data_sources_of(new);
    new.video_source_types := '{hosted}';
  end if;
  return new;
end $$;

-- Before videos_written, by its name. A write to other columns costs nothing more. Whoever changes a source writes it first,
-- and then its video.
create trigger videos_sourced before update of status, duration, thumbnails, media_source_id, pending_source_id on videos
  for each row execute function follow_sources();

create function tell_of_media() returns trigger language plpgsql as $$
begin
  perform pg_notify('video_media', new.site_id || '/' || new._id);
  return null;
end $$;

create trigger videos_told after update of status, status_reason, playable_at, complete_at, renditions, thumbnails,
  media_source_id, pending_source_id, deleted_at on videos
  for each row when (
    (old.status, old.status_reason, old.playable_at, old.complete_at, old.deleted_at, old.renditions, old.data_sources)
    is distinct from
    (new.status, new.status_reason, new.playable_at, new.complete_at, new.deleted_at, new.renditions, new.data_sources)
  ) execute function tell_of_media();

-- Those that are there already.
update videos set media_source_id = media_source_id where media_source_id is not null;
