-- How films arrive: uploads, imports from URLs, and feeds whose films are imported.

-- Resumable uploads. Knowing the id is enough to continue one. The bytes are in the media storage.
create table uploads (
  _id         text collate "C" not null,
  site_id     text collate "C" not null references channels on delete cascade,
  -- The id of the source that the file becomes. The bytes are stored under it while they arrive.
  source_id   text collate "C" not null,
  -- The video that the file is for, or that was created from it.
  video_id    text collate "C",
  length      bigint not null,
  file_name   text not null default 'Untitled',
  -- As sent. The fields of the video are read from it when the last byte has arrived.
  metadata    text not null,
  expires_at  timestamptz(3) not null default now() + interval '24 hours',
  finished_at timestamptz(3),
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  -- The number of bytes known to have arrived.
  "offset"    bigint not null default 0,
  progress    integer not null generated always as (("offset" * 100 / length)::integer) stored,
  status      text not null generated always as (
                case when finished_at is null then 'uploading' else 'finished' end
              ) stored,
  -- Whether it was begun with a token that creates no active videos.
  hidden      boolean not null default false,
  message     text,
  created_by  text,
  primary key (site_id, _id)
);

create unique index uploads_by_id on uploads (_id);
create index uploads_by_source on uploads (source_id);
create index uploads_by_end on uploads (expires_at);
create index uploads_under_way on uploads (site_id, video_id) where finished_at is null;

-- Permission to upload without a key. Tokens are stored as digests.
create table upload_tokens (
  _id        text collate "C" not null,
  site_id    text collate "C" not null references channels on delete cascade,
  digest     bytea not null unique,
  video_id   text collate "C",
  max_bytes  bigint,
  uploads    integer not null default 1,
  begun      integer not null default 0,
  active     boolean not null default false,
  allowed_fields text[] not null default '{}',
  -- The key or the person that made it, with which it ends.
  made_by    text collate "C" not null,
  expires_in integer not null default 3600,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create index upload_tokens_by_end on upload_tokens (expires_at);

-- Feeds whose films are imported.
create table video_sources (
  _id                    text collate "C" not null,
  site_id                text collate "C" not null references channels on delete cascade,
  type                   text not null check (type in ('mrss')),
  name                   text,
  url                    text not null,
  guid                   text,
  sync_interval          text not null default 'daily' check (sync_interval in ('hourly', 'daily')),
  auto_add               boolean not null default true,
  auto_activate          boolean not null default true,
  auto_deactivate        boolean not null default false,
  sync_video_data_source boolean not null default true,
  import_from            timestamptz(3),
  import_to              timestamptz(3),
  mrss_category_values   text[] not null default '{}',
  category_id            text collate "C",
  status                 text not null default 'created' check (status in ('created', 'ready', 'failed')),
  status_reason          text,
  refreshed_at           timestamptz(3),
  refresh_at             timestamptz(3) not null default now(),
  found_count            integer not null default 0,
  added_count            integer not null default 0,
  changed_count          integer not null default 0,
  skipped_count          integer not null default 0,
  video_count            integer not null default 0,
  editable               boolean not null default true,
  deleteable             boolean not null default true,
  -- Grows with every change of the settings. The result of a reading for earlier settings is ignored.
  revision               integer not null default 0,
  -- When the current reading began, over all attempts.
  reading_since          timestamptz(3),
  -- The validators that its server sent when the feed was last read completely.
  etag                   text,
  last_modified          text,
  -- The number of consecutive failures.
  failures               integer not null default 0,
  search                 tsvector generated always as (words_in(coalesce(name, ''))) stored,
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, category_id) references categories on delete set null (category_id)
);

create index video_sources_by_creation on video_sources (site_id, created_at, _id);
create index video_sources_due on video_sources (refresh_at);
create index video_sources_of_category on video_sources (site_id, category_id) where category_id is not null;

-- An item is imported once, by its guid, whatever happens to its import and its video later.
create table video_source_items (
  site_id         text collate "C" not null,
  video_source_id text collate "C" not null,
  guid            text collate "C" not null,
  import_id       text collate "C" not null,
  video_id        text collate "C",
  -- A digest of the item in the feed, to detect changes.
  digest          text not null,
  is_listed       boolean not null default true,
  -- Whether its video was made inactive because the item had left the feed.
  is_hidden       boolean not null default false,
  added_at        timestamptz(3) not null default now(),
  changed_at      timestamptz(3),
  -- Whether leaving the feed has already affected the video. It does so once: later changes by the publisher stay.
  is_let_go       boolean not null default false,
  primary key (site_id, video_source_id, guid),
  foreign key (site_id, video_source_id) references video_sources on delete cascade
);

-- Films fetched from URLs. Their bytes are in the media storage.
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
  -- The id of the source that the file becomes. The bytes are stored under it while they arrive.
  media_source_id text collate "C" not null,
  file_name       text,
  -- The validator that the film's server sent for the bytes that have arrived. Without it a download cannot be
  -- resumed.
  validator       text,
  -- The number of consecutive failures.
  failures        integer not null default 0,
  -- Which process fetches it, and until when the lease lasts. Without a process, when the next attempt may begin.
  held_by         text,
  held_until      timestamptz(3),
  started_at      timestamptz(3),
  search          tsvector generated always as (words_in(title || ' ' || coalesce(source_id, ''))) stored,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  video_source_id text collate "C",
  keywords        text[] not null default '{}',
  published_at    timestamptz(3),
  type            text not null default 'url',
  active          boolean not null default true,
  etag            text generated always as (case when validator like '"%' then validator end) stored,
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade,
  foreign key (site_id, video_source_id) references video_sources on delete set null (video_source_id)
)
-- Progress is written every second. The fill factor leaves room for it on the same page.
with (fillfactor = 70);

create index video_imports_by_creation on video_imports (site_id, created_at, _id);
create index video_imports_by_words on video_imports using gin (site_id, search);
create index video_imports_of_video on video_imports (site_id, video_id);
create index video_imports_by_source on video_imports (media_source_id);
create index video_imports_under_way on video_imports (created_at) where status in ('created', 'downloading');
create index video_imports_of_source on video_imports (site_id, video_source_id, created_at, _id)
  where video_source_id is not null;
