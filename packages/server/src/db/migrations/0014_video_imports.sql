-- Films that are fetched from addresses. Their bytes are in the media storage.

create table video_imports (
  _id             text collate "C" not null,
  site_id         text collate "C" not null references channels on delete cascade,
  source_url      text not null,
  video_id        text collate "C",
  title           text collate "C" not null,
  description     text,
  episode         double precision,
  season          double precision,
  source_id       text,
  auto_add        boolean not null default true,
  auto_activate   boolean not null default true,
  status          text not null default 'created'
                  check (status in ('created', 'downloading', 'ready', 'failed', 'cancelled')),
  status_reason   text,
  progress        integer,
  bytes           bigint not null default 0,
  total_bytes     bigint,
  attempts        integer not null default 0,
  finished_at     timestamptz(3),
  -- What the file becomes, named ahead: the bytes lie under it while they come.
  media_source_id text collate "C" not null,
  file_name       text,
  -- What the server of the film calls the bytes that came, in words of HTTP; without it nothing can be added to them.
  validator       text,
  -- How often in a row it did not work.
  failures        integer not null default 0,
  -- Who fetches it, and until when that is believed. While nobody does, when it may be tried next.
  held_by         text,
  held_until      timestamptz(3),
  started_at      timestamptz(3),
  search          tsvector generated always as (
                    to_tsvector('simple'::regconfig, regexp_replace(
                      title || ' ' || coalesce(source_id, ''), '[^[:alnum:]]+', ' ', 'g'
                    ))
                  ) stored,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
)
-- Progress is written every second; there is room for it on the same page.
with (fillfactor = 70);

create index video_imports_by_creation on video_imports (site_id, created_at, _id);
create index video_imports_by_words on video_imports using gin (site_id, search);
create index video_imports_of_video on video_imports (site_id, video_id);
create index video_imports_by_source on video_imports (media_source_id);
create index video_imports_under_way on video_imports (created_at) where status in ('created', 'downloading');
