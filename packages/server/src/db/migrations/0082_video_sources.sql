-- Feeds of others whose films are imported, and which of their items were.

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
  -- Grows with every change of what is wanted: whoever has read for an earlier one does not have the last word.
  revision               integer not null default 0,
  -- Since when it is being read, however often that was begun.
  reading_since          timestamptz(3),
  -- What its server called the feed when all of it had been read, in words of HTTP.
  etag                   text,
  last_modified          text,
  -- How often in a row it could not be read.
  failures               integer not null default 0,
  search                 tsvector generated always as (
                           to_tsvector('simple'::regconfig, regexp_replace(coalesce(name, ''), '[^[:alnum:]]+', ' ', 'g'))
                         ) stored,
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, category_id) references categories on delete set null (category_id)
);

create index video_sources_by_creation on video_sources (site_id, created_at, _id);
create index video_sources_due on video_sources (refresh_at);
create index video_sources_of_category on video_sources (site_id, category_id) where category_id is not null;

create function reading_pause(sync_interval text) returns interval language sql immutable parallel safe
return case sync_interval when 'hourly' then interval '1 hour' else interval '1 day' end;

-- An item is imported once, by its guid, whatever became of its import and its video since.
create table video_source_items (
  site_id         text collate "C" not null,
  video_source_id text collate "C" not null,
  guid            text collate "C" not null,
  import_id       text collate "C" not null,
  video_id        text collate "C",
  -- What the feed said about it when it was last read, so that a change is noticed.
  digest          text not null,
  is_listed       boolean not null default true,
  -- Its video was made inactive because it had left the feed.
  is_hidden       boolean not null default false,
  added_at        timestamptz(3) not null default now(),
  changed_at      timestamptz(3),
  primary key (site_id, video_source_id, guid),
  foreign key (site_id, video_source_id) references video_sources on delete cascade
);

alter table video_imports
  add column video_source_id text collate "C",
  add column keywords        text[] not null default '{}',
  add column published_at    timestamptz(3),
  add foreign key (site_id, video_source_id) references video_sources on delete set null (video_source_id);

create index video_imports_of_source on video_imports (site_id, video_source_id, created_at, _id)
  where video_source_id is not null;
