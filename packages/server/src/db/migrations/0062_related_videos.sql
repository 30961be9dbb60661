-- Videos that are shown beside a video, in groups of the publisher's own; the videos that have a preview, by that preview; and what
-- programs that send files say about it.

create table related_videos (
  _id             text collate "C" not null,
  site_id         text collate "C" not null,
  video_id        text collate "C" not null,
  linked_video_id text collate "C" not null,
  source          text,
  source_id       text,
  "group"         text,
  place           bigint generated always as identity,
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade,
  foreign key (site_id, linked_video_id) references videos on delete cascade
);

create index related_videos_of_video on related_videos (site_id, video_id, place);
create index related_videos_by_linked on related_videos (site_id, linked_video_id);
create index videos_by_preview on videos using gin (site_id, preview_ids) where preview_ids <> '{}';

alter table uploads add column message text;
