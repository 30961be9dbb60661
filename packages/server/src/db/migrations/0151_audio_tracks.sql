-- The audio tracks of a video. Those of its film have a source; uploaded ones have a file of their own.
create table audio_tracks (
  _id            text collate "C" not null,
  site_id        text collate "C" not null,
  video_id       text collate "C" not null,
  -- The film it is part of, and its rendition in that film. Null for an uploaded track.
  source_id      text collate "C",
  track          text collate "C",
  language       text,
  title          text,
  kind           text not null default 'main' check (kind in ('main', 'description', 'commentary')),
  "default"      boolean not null default false,
  active         boolean not null default true,
  -- The uploaded file in the media storage.
  file_id        text collate "C",
  file_file_name text,
  bytes          bigint,
  sha256         text,
  facts          jsonb,
  status         text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
  failures       integer not null default 0,
  error          text,
  notice         text,
  origin         text not null generated always as (case when file_id is null then 'film' else 'upload' end) stored,
  duration       double precision generated always as ((facts ->> 'duration')::double precision) stored,
  channels       integer generated always as ((facts -> 'audio' ->> 'channels')::integer) stored,
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade,
  foreign key (site_id, source_id) references sources on delete cascade,
  check ((source_id is null) = (track is null)),
  check ((source_id is null) = (file_id is not null))
);

-- The storage that a channel uses is summed from this index alone.
create index audio_tracks_of_video on audio_tracks (site_id, video_id, created_at, _id) include (bytes);
create unique index audio_tracks_of_source on audio_tracks (site_id, source_id, track) where source_id is not null;
-- The sweep looks for files here.
create unique index audio_tracks_by_file on audio_tracks (file_id) where file_id is not null;

-- The main audio of the films that there are.
insert into audio_tracks (_id, site_id, video_id, source_id, track, language, "default", facts, status)
select left(md5(sources._id || ' audio'), 24), sources.site_id, video_id, sources._id, 'audio',
  sources.facts -> 'audio' ->> 'language', true,
  jsonb_build_object('duration', sources.duration, 'audio', sources.facts -> 'audio'), 'ready'
from sources join videos on videos.site_id = sources.site_id and media_source_id = sources._id
where sources.status = 'ready' and sources.plan -> 'audio' is not null;
