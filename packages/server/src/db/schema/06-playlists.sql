-- Categories, playlists, and where playlists appear: programme guides and feeds.

create table categories (
  _id            text collate "C" not null,
  site_id        text collate "C" not null references channels on delete cascade,
  title          text collate "C" not null,
  friendly_title text not null,
  values         text[] not null default '{}',
  -- New names of values that were renamed, so that videos with an old value can follow at any time.
  renamed        jsonb not null default '{}',
  search         tsvector generated always as (search_words(title, '{}', '')) stored,
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique (site_id, title)
);

create index categories_by_creation on categories (site_id, created_at, _id);
create unique index categories_by_friendly_title on categories (site_id, friendly_title);

create table playlists (
  _id                            text collate "C" not null,
  site_id                        text collate "C" not null references channels on delete cascade,
  title                          text collate "C" not null,
  friendly_title                 text not null,
  internal_title                 text,
  description                    text,
  active                         boolean not null default true,
  keywords                       text[] not null default '{}',
  parent_id                      text collate "C",
  priority                       integer not null default 0,
  playlist_type                  text not null default 'manual' check (playlist_type in ('manual', 'category')),
  match_type                     text not null default 'any' check (match_type in ('any', 'all')),
  categories                     jsonb not null default '[]',
  sort_options                   jsonb not null default '[]',
  thumbnail_layout               text not null default 'landscape',
  custom_thumbnail_url           text,
  discovery_url                  text,
  purchase_required              boolean not null default false,
  purchase_price                 numeric,
  rental_required                boolean not null default false,
  rental_price                   numeric,
  rental_duration                integer,
  auto_update_video_entitlements boolean not null default false,
  auto_remove_video_entitlements boolean not null default false,
  marketplace_ids                jsonb not null default '{}',
  content_rule_profile_id        text,
  playlist_item_count            integer not null default 0,
  related_video_ids              text[] not null default '{}',
  images                         jsonb not null default '[]',
  thumbnails                     jsonb not null generated always as (
                                   shown_thumbnails(custom_thumbnail_url, custom_thumbnail_facts, '[]')
                                 ) stored,
  search                         tsvector generated always as (search_words(title, keywords, '')) stored,
  created_at                     timestamptz(3) not null default now(),
  updated_at                     timestamptz(3) not null default now(),
  -- The rules of a rule-based playlist, as a path that is matched against a video's categories.
  filled_by                      jsonpath generated always as (
                                   filling_path(playlist_type, match_type, categories)
                                 ) stored,
  custom_thumbnail_facts         jsonb,
  primary key (site_id, _id),
  foreign key (site_id, parent_id) references playlists,
  foreign key (site_id, content_rule_profile_id) references content_rule_profiles
);

create index playlists_by_creation on playlists (site_id, created_at, _id);
create index playlists_by_parent on playlists (site_id, parent_id, priority);
create index playlists_by_content_rule_profile on playlists (site_id, content_rule_profile_id)
  where content_rule_profile_id is not null;
create index playlists_filled on playlists (site_id) where filled_by is not null;
create unique index playlists_by_friendly_title on playlists (site_id, friendly_title);

-- Positions only grow and are never reused, so that appending never waits for other writers.
create sequence playlist_positions;

-- The videos that were put in a playlist by hand.
create table playlist_videos (
  site_id     text collate "C" not null,
  playlist_id text collate "C" not null,
  video_id    text collate "C" not null,
  position    bigint not null default nextval('playlist_positions'),
  -- Whether viewers see the video. It allows index-only scans of a page.
  shown       boolean not null,
  primary key (site_id, playlist_id, video_id),
  foreign key (site_id, playlist_id) references playlists on delete cascade,
  foreign key (site_id, video_id) references videos on delete cascade
);

create index playlist_videos_shown on playlist_videos (site_id, playlist_id, position) include (video_id) where shown;
create index playlist_videos_of_video on playlist_videos (site_id, video_id);

-- Deleted playlists whose entitlements are still being deleted, and which write deleted them.
create table removed_playlists (
  _id     text collate "C" not null,
  site_id text collate "C" not null references channels on delete cascade,
  xact    xid8 not null default pg_current_xact_id(),
  step    smallint not null,
  primary key (site_id, _id)
);

-- Programme schedules, read from a file at a URL.
create table program_guides (
  _id                       text collate "C" not null,
  site_id                   text collate "C" not null references channels on delete cascade,
  name                      text collate "C" not null,
  url                       text not null,
  channel                   text,
  language                  text[] not null default '{}',
  time_zone                 text not null,
  video_ids                 text[] not null default '{}',
  status                    text not null default 'created' check (status in ('created', 'synced', 'failed')),
  status_reason             text,
  program_guide_entry_count integer not null default 0,
  refreshed_at              timestamptz(3),
  -- When the file is read again.
  refresh_at                timestamptz(3) not null default now(),
  search                    tsvector generated always as (words_in(name)) stored,
  created_at                timestamptz(3) not null default now(),
  updated_at                timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create index program_guides_by_creation on program_guides (site_id, created_at, _id);
create index program_guides_due on program_guides (refresh_at);
create index program_guides_by_video on program_guides using gin (site_id, video_ids) where video_ids <> '{}';

create table program_guide_entries (
  _id                    text collate "C" not null,
  site_id                text collate "C" not null,
  program_guide_id       text collate "C" not null,
  title                  text collate "C" not null,
  subtitle               text,
  description            text,
  category               text[] not null default '{}',
  duration               integer not null,
  start_time             timestamptz(3) not null,
  end_time               timestamptz(3) not null,
  start_time_with_offset text not null,
  end_time_with_offset   text not null,
  time_zone              text not null,
  search                 tsvector generated always as (words_in(title)) stored,
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  primary key (site_id, _id),
  -- Only one programme is on at a time.
  unique (site_id, program_guide_id, start_time),
  foreign key (site_id, program_guide_id) references program_guides on delete cascade
);

-- Playlists as feeds for other services.
create table feeds (
  _id         text collate "C" not null,
  site_id     text collate "C" not null,
  playlist_id text collate "C" not null,
  title       text,
  description text,
  link        text,
  language    text,
  media       text not null default 'hls' check (media in ('hls', 'mp4')),
  item_limit  integer not null default 100,
  active      boolean not null default true,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, playlist_id) references playlists on delete cascade
);

create index feeds_by_creation on feeds (site_id, created_at, _id);
create index feeds_of_playlist on feeds (site_id, playlist_id);

-- Keys that open a feed.
create table feed_keys (
  _id        text collate "C" not null,
  site_id    text collate "C" not null,
  feed_id    text collate "C" not null,
  name       text,
  key        bytea not null,
  -- Identifies the key.
  digest     bytea not null unique,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, feed_id) references feeds on delete cascade
);

create index feed_keys_of_feed on feed_keys (site_id, feed_id, created_at, _id);
