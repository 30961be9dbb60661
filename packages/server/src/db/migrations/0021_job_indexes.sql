-- What jobs and limits look for is found without reading whole tables.

-- Films that are not whole: those that play, and those of which only files are made.
drop index videos_incomplete;
create index videos_incomplete on videos (updated_at)
  where status in ('ready', 'processing') and complete_at is null and media_source_id is not null and deleted_at is null;

create index sources_replaced on sources (replaced_at) where replaced_at is not null;

-- How much a channel keeps is summed from this alone.
drop index sources_of_video;
create index sources_of_video on sources (site_id, video_id) include (bytes);
