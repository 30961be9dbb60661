-- Files of videos, and what is encoded from them.

-- Uploaded films: the facts about each file, and its encoding plan.
create table sources (
  _id          text collate "C" not null,
  site_id      text collate "C" not null,
  video_id     text collate "C" not null,
  file_name    text,
  bytes        bigint not null,
  sha256       text not null,
  facts        jsonb,
  -- The encoding plan. window_count and rungs are the parts that are read for every film of a channel.
  plan         jsonb,
  failures     integer not null default 0,
  error        text,
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  status       text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
  -- When the source was replaced. Since then no video uses it.
  replaced_at  timestamptz(3),
  current      boolean not null generated always as (status = 'ready' and replaced_at is null) stored,
  -- The facts that the record shows.
  duration     double precision generated always as ((facts ->> 'duration')::double precision) stored,
  container    text generated always as (facts ->> 'container') stored,
  width        integer generated always as ((facts -> 'video' ->> 'width')::integer) stored,
  height       integer generated always as ((facts -> 'video' ->> 'height')::integer) stored,
  video_codec  text generated always as (facts -> 'video' ->> 'codec') stored,
  audio_codec  text generated always as (facts -> 'audio' ->> 'codec') stored,
  window_count integer generated always as (jsonb_array_length(plan -> 'windows')) stored,
  rungs        jsonb generated always as (plan -> 'rungs') stored,
  -- What of the file is not published.
  notice       text generated always as (
                 coalesce((facts ->> 'audioLeftOut') || ' ' || (facts ->> 'subtitlesLeftOut'),
                   facts ->> 'audioLeftOut', facts ->> 'subtitlesLeftOut')
               ) stored,
  -- When the subtitles inside the file were imported.
  subtitles_at timestamptz(3),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index sources_by_id on sources (_id);
-- Sources that a job resumes if nothing else does.
create index sources_under_way on sources (updated_at) where status = 'processing' and replaced_at is null;
create index sources_replaced on sources (replaced_at) where replaced_at is not null;
-- The storage that a channel uses is summed from this index alone.
create index sources_of_video on sources (site_id, video_id) include (bytes);
-- Finds videos of a channel that were made from the same file.
create index sources_by_digest on sources (site_id, sha256);

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

-- Files at external URLs that a video plays from.
create table self_hosted_sources (
  _id        text collate "C" not null,
  site_id    text collate "C" not null,
  video_id   text collate "C" not null,
  active     boolean not null default true,
  duration   integer check (duration >= 0),
  files      jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index self_hosted_sources_of_video on self_hosted_sources (site_id, video_id, created_at, _id);
create unique index self_hosted_sources_active on self_hosted_sources (site_id, video_id) where active;

-- A window is a few consecutive segments of one track of a source, encoded together. A row says which process holds
-- the lease and until when, or that the files are in storage. A window without a row was not requested yet.
create table media_windows (
  source_id     text collate "C" not null,
  track         text collate "C" not null,
  number        integer not null,
  holder        text,
  lease_until   timestamptz(3),
  made_at       timestamptz(3),
  bytes         bigint,
  failures      integer not null default 0,
  error         text,
  retry_at      timestamptz(3),
  -- Failures not caused by the film: ffmpeg was killed, the disk was full, or the database was unavailable.
  mishaps       integer not null default 0,
  -- Whether it is encoded ahead of time. A process that a viewer waits for may take it over.
  yields        boolean not null default false,
  -- The size of each segment, and where its first frame ends. Playlists state the measured rates and the positions of
  -- key frames. Null for windows from before these were measured.
  segment_bytes integer[],
  key_bytes     integer[],
  primary key (source_id, track, number),
  check (made_at is null or (holder is null and lease_until is null))
);

-- The windows that a process was encoding when it ended.
create index media_windows_held on media_windows (holder) where holder is not null;

-- The encoded amount of each track of a source. Triggers sum the windows, so that no query counts millions of them.
create table made_tracks (
  site_id   text collate "C" not null,
  source_id text collate "C" not null,
  track     text collate "C" not null,
  windows   integer not null,
  bytes     bigint not null,
  primary key (site_id, source_id, track),
  foreign key (site_id, source_id) references sources on delete cascade
)
-- As for plays: the rows are counted in place.
with (fillfactor = 90);

-- Seconds of encoding, and the seconds of film encoded in them. Rows stay after the files are deleted, because the
-- work was done.
create table encoding_times (
  site_id      text collate "C" not null references channels on delete cascade,
  track        text collate "C" not null,
  way          text not null check (way in ('audio', 'copy', 'encode', 'join')),
  seconds      double precision not null,
  film_seconds double precision not null,
  primary key (site_id, track, way)
);

-- Encoded tracks that no format needs any more. They are deleted after a day.
create table unwanted_tracks (
  site_id   text collate "C" not null,
  source_id text collate "C" not null,
  track     text collate "C" not null,
  since     timestamptz(3) not null default now(),
  primary key (source_id, track),
  foreign key (site_id, source_id) references sources on delete cascade
);

create index unwanted_tracks_by_time on unwanted_tracks (since);

-- Sources and poster images that were deleted on purpose, so that their files may be deleted.
create table ended_media (
  _id      text collate "C" primary key,
  ended_at timestamptz(3) not null default now()
);

-- Files that the sweep of the media storage found and no row names, for example after an old backup was restored.
create table unknown_media (
  _id          text collate "C" primary key,
  kind         text not null check (kind in ('film', 'image', 'piece')),
  seen_at      timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);

-- The subtitles of a video as WebVTT, converted from the uploaded file. The text is in the row and needs no media
-- storage.
create table subtitles (
  _id               text collate "C" not null,
  site_id           text collate "C" not null,
  video_id          text collate "C" not null,
  language          text not null,
  title             text not null,
  active            boolean not null default true,
  "default"         boolean not null default false,
  forced            boolean not null default false,
  extension_type    text not null check (extension_type in ('srt', 'vtt')),
  file_file_name    text,
  file_content_type text not null,
  file_file_size    integer not null,
  file_fingerprint  text not null,
  file_updated_at   timestamptz(3) not null default now(),
  url               text not null,
  vtt               text not null,
  created_at        timestamptz(3) not null default now(),
  updated_at        timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index subtitles_of_video on subtitles (site_id, video_id, created_at, _id);
create index subtitles_by_id on subtitles (_id);
-- Players tell subtitles apart by their titles.
create unique index subtitles_title_taken on subtitles (site_id, video_id, title) where active;

-- Subtitles at another URL, as an HLS playlist of WebVTT.
create table subtitle_playlists (
  _id           text collate "C" not null,
  site_id       text collate "C" not null,
  video_id      text collate "C" not null,
  language      text not null,
  language_code text collate "C" not null,
  source_url    text not null,
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique (site_id, video_id, language_code),
  foreign key (site_id, video_id) references videos on delete cascade
);

-- Positions in a data source where advertisements may be shown.
create table ad_timings (
  _id                   text collate "C" not null,
  site_id               text collate "C" not null,
  video_id              text collate "C" not null,
  data_source_id        text collate "C" not null,
  milliseconds          integer not null check (milliseconds >= 0),
  time                  double precision not null generated always as (milliseconds / 1000::double precision) stored,
  duration_milliseconds integer check (duration_milliseconds >= 0),
  duration              double precision generated always as (duration_milliseconds / 1000::double precision) stored,
  type                  text not null generated always as (
                          case when milliseconds = 0 then 'preroll' else 'midroll' end
                        ) stored,
  mode                  text not null default 'manual',
  ad_placement_id       text,
  created_at            timestamptz(3) not null default now(),
  updated_at            timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index ad_timings_of_data_source on ad_timings (site_id, video_id, data_source_id, milliseconds, _id);

-- Live worker processes. Each updates its row every other second. Other workers take over the jobs of one that stops.
create table workers (
  _id           text collate "C" primary key,
  -- The names under which it takes jobs from the queue.
  runners       text[] not null,
  makes_windows boolean not null,
  seen_at       timestamptz(3) not null default now()
);

-- A move of films from one storage to another, so that everyone sees how far it is.
create table storage_moves (
  _id text collate "C" primary key,
  from_place text not null,
  to_place text not null,
  -- Who moves. One who finds another name here stops.
  runner text not null,
  total_objects bigint not null default 0,
  total_bytes bigint not null default 0,
  moved_objects bigint not null default 0,
  moved_bytes bigint not null default 0,
  -- When the present runner began, and what was moved by then: the speed is measured from here.
  resumed_at timestamptz(3) not null default now(),
  resumed_bytes bigint not null default 0,
  begun_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);

-- Two moves at once, in opposite directions, could each take away what the other has just copied.
create unique index storage_moves_running on storage_moves ((ended_at is null)) where ended_at is null;

-- Objects that could not be moved. They stay in the old place.
create table storage_move_failures (
  move_id text collate "C" not null references storage_moves (_id) on delete cascade,
  key text collate "C" not null,
  reason text not null,
  failed_at timestamptz(3) not null default now(),
  primary key (move_id, key)
);

-- The storages that each running process reads. A move begins only when all of them read the new place.
create table storage_users (
  _id text collate "C" primary key,
  places text[] not null,
  host text not null,
  seen_at timestamptz(3) not null default now()
);

-- Whether the films belong to this database. The same number and nonces are beside the films, where a database that replaced
-- this one, or a copy of it, has written others.
create table library_lease (
  is_only boolean primary key default true check (is_only),
  -- Grows with each film that arrives.
  number bigint not null default 0,
  -- What was written beside the films with the last renewals, the newest first.
  nonces text[] not null default '{}',
  renewed_at timestamptz(3) not null default now(),
  -- Why the films may belong to another database, and what was written beside them then.
  doubt text check (doubt in ('elsewhere', 'old', 'copy')),
  doubt_nonce text,
  doubt_place text,
  doubt_since timestamptz(3)
);
