-- Videos and what belongs to them alone.

-- Content rules shared by the videos and playlists that name the profile. The default profile applies to those that
-- name none. Other rules are in 08-rules.sql.
create table content_rule_profiles (
  _id                text collate "C" not null,
  site_id            text collate "C" not null references channels on delete cascade,
  title              text collate "C",
  description        text,
  is_default_profile boolean not null default false,
  content_rules      jsonb not null default '[]',
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  search             tsvector generated always as (words_of(title, description)) stored,
  primary key (site_id, _id)
);

create unique index content_rule_profiles_default on content_rule_profiles (site_id) where is_default_profile;
create index content_rule_profiles_by_words on content_rule_profiles using gin (site_id, search);

-- A deleted video stays for 30 days, so every index for other videos excludes it. Triggers maintain many columns:
-- triggers/videos.sql.
create table videos (
  _id                        text collate "C" not null,
  site_id                    text collate "C" not null references channels on delete cascade,
  title                      text collate "C" not null,
  friendly_title             text not null,
  internal_title             text,
  description                text,
  short_description          text,
  keywords                   text[] not null default '{}',
  active                     boolean not null default true,
  enable_at                  timestamptz(3),
  disable_at                 timestamptz(3),
  -- The next time at which `active` changes on schedule, derived from enable_at and disable_at.
  switches_at                timestamptz(3),
  published_at               timestamptz(3) not null default now(),
  featured                   boolean not null default false,
  mature_content             boolean not null default false,
  parental_guidelines_rating text,
  country                    text,
  language                   text,
  genre                      text,
  episode                    double precision,
  season                     double precision,
  series_id                  text,
  source_id                  text,
  foreign_id                 text,
  youtube_id                 text,
  vimeo_id                   text,
  hulu_id                    text,
  crunchyroll_id             text,
  kaltura_id                 text,
  mrss_id                    text,
  discovery_url              text,
  custom_thumbnail_url       text,
  live_event                 boolean not null default false,
  on_air                     boolean not null default false,
  on_air_at                  timestamptz(3),
  off_air_at                 timestamptz(3),
  subscription_required      boolean not null default false,
  pass_required              boolean not null default false,
  purchase_required          boolean not null default false,
  purchase_price             numeric,
  rental_required            boolean not null default false,
  rental_price               numeric,
  rental_duration            integer,
  registration_required      boolean not null default false,
  redemption_code_required   boolean not null default false,
  subscription_ads_enabled   boolean not null default true,
  marketplace_ids            jsonb not null default '{}',
  preview_ids                text[] not null default '{}',
  custom_attributes          jsonb not null default '{}',
  transcriptions_enabled     boolean not null default false,
  translations_enabled       boolean not null default false,
  playout_ad                 boolean not null default false,
  playout_bumper             boolean not null default false,
  playout_slate              boolean not null default false,
  status                     text not null default 'created'
                             check (status in ('created', 'uploading', 'processing', 'ready', 'failed', 'deleted')),
  status_reason              text,
  playable_at                timestamptz(3),
  complete_at                timestamptz(3),
  transcoded                 boolean not null default false,
  duration                   integer,
  precise_duration           double precision,
  rating                     double precision,
  request_count              integer not null default 0,
  categories                 jsonb not null default '[]',
  thumbnails                 jsonb not null default '[]',
  images                     jsonb not null default '[]',
  renditions                 jsonb not null default '[]',
  data_sources               jsonb not null default '[]',
  segments                   jsonb not null default '[]',
  video_zobjects             jsonb not null default '[]',
  zobject_ids                text[] not null default '{}',
  related_playlist_ids       text[] not null default '{}',
  video_source_types         text[] not null default '{}',
  content_rule_profile_id    text,
  -- The status that a deleted video gets back when it is restored.
  status_before_removal      text,
  -- The record as the API sends it. Reading it costs a fifth of building it.
  record                     text not null,
  created_at                 timestamptz(3) not null default now(),
  updated_at                 timestamptz(3) not null default now(),
  deleted_at                 timestamptz(3),
  -- The source that the video plays from, and the one that replaces it once it is playable.
  media_source_id            text collate "C",
  source_url                 text,
  formats                    jsonb not null default '{}',
  preview_url                text,
  -- The publisher's choice for the poster: the frame at a time, or an image. If neither is set, a frame is chosen
  -- automatically.
  poster_seconds             double precision,
  poster_image_id            text collate "C",
  pending_source_id          text collate "C",
  -- The rating is the mean of these. The sums stay exact when several people rate at once.
  rating_count               integer not null default 0,
  rating_sum                 numeric not null default 0,
  -- Who created it: 'admin', or 'editor' and the person's id.
  created_by                 text,
  -- The size of the custom thumbnail, with the URL at which it was measured.
  custom_thumbnail_facts     jsonb,
  primary key (site_id, _id),
  constraint videos_status_deleted check ((status = 'deleted') = (deleted_at is not null)),
  constraint one_poster check (poster_seconds is null or poster_image_id is null),
  foreign key (site_id, content_rule_profile_id) references content_rule_profiles
)
-- Records stay in their rows up to 4 kB. Read from the TOAST table, ten of them would cost three times as much.
with (toast_tuple_target = 4080);

-- Every index costs each write a few microseconds, even if the row is not in it. docs/decisions/0050 lists them all, with
-- their queries.
-- The two default lists: active videos, and all videos.
create index videos_active_by_creation on videos (site_id, created_at, _id) where deleted_at is null and active;
create index videos_by_creation on videos (site_id, created_at, _id) where deleted_at is null;
-- The other orders. They include `active`, so that a page is read by index-only scans.
create index videos_by_publication on videos (site_id, published_at, _id) include (active) where deleted_at is null;
create index videos_by_update on videos (site_id, updated_at, _id) include (active) where deleted_at is null;
create index videos_by_title on videos (site_id, title, _id) include (active) where deleted_at is null;
-- Lookups by a name that the publisher assigned. Deleting a video frees its friendly title.
create unique index videos_by_friendly_title on videos (site_id, friendly_title) where deleted_at is null;
create index videos_by_source_id on videos (site_id, source_id) where source_id is not null and deleted_at is null;
create index videos_by_youtube_id on videos (site_id, youtube_id) where youtube_id is not null and deleted_at is null;
create index videos_by_vimeo_id on videos (site_id, vimeo_id) where vimeo_id is not null and deleted_at is null;
create index videos_by_hulu_id on videos (site_id, hulu_id) where hulu_id is not null and deleted_at is null;
create index videos_by_crunchyroll_id on videos (site_id, crunchyroll_id)
  where crunchyroll_id is not null and deleted_at is null;
-- Filters.
create index videos_by_series on videos (site_id, series_id, created_at, _id) include (active)
  where series_id is not null and deleted_at is null;
create index videos_by_genre on videos (site_id, genre, created_at, _id) include (active)
  where genre is not null and deleted_at is null;
-- Flags that few videos have.
create index videos_featured on videos (site_id, created_at, _id) include (active)
  where featured and deleted_at is null;
create index videos_mature on videos (site_id, created_at, _id) include (active)
  where mature_content and deleted_at is null;
create index videos_live on videos (site_id, created_at, _id) include (active)
  where live_event and deleted_at is null;
create index videos_on_air on videos (site_id, created_at, _id) include (active) where on_air and deleted_at is null;
-- Filters by lists: one GIN index serves each of its columns as well as an index of its own. Searches read all pending
-- entries, so the list of these is kept short. Keywords have their own index: most videos have some, and would have an
-- entry in the other one for each empty list.
create index videos_by_keyword on videos using gin (site_id, keywords) where keywords <> '{}';
create index videos_by_lists on videos using gin (
  site_id, categories jsonb_path_ops, zobject_ids, related_playlist_ids, preview_ids
) with (gin_pending_list_limit = 512)
  where categories <> '[]' or zobject_ids <> '{}' or related_playlist_ids <> '{}' or preview_ids <> '{}';
-- Finds the videos to update when the other record changes or is deleted.
create index videos_by_content_rule_profile on videos (site_id, content_rule_profile_id)
  where content_rule_profile_id is not null;
create index videos_by_poster_image on videos (poster_image_id) where poster_image_id is not null;
create index videos_with_pending on videos (pending_source_id) where pending_source_id is not null;
-- Jobs: videos that are due to switch or to be purged, and videos that lack renditions.
create index videos_to_switch on videos (switches_at) where switches_at is not null and deleted_at is null;
create index videos_to_purge on videos (deleted_at) where deleted_at is not null;
create index videos_incomplete on videos (updated_at)
  where status in ('ready', 'processing') and complete_at is null and media_source_id is not null and deleted_at is null;
-- The dashboard's home page lists failed and waiting videos of a channel; jobs look for stalled ones of all channels.
create index videos_by_status on videos (status, site_id, updated_at)
  where status in ('uploading', 'processing', 'failed') and deleted_at is null;
-- Lists for apps and viewers leave these out.
create index videos_failed on videos (site_id, created_at, _id)
  where status = 'failed' and active and deleted_at is null;
create index videos_ending on videos (site_id, disable_at)
  where disable_at is not null and active and deleted_at is null;
-- URLs of share pages contain no key, so the video's id alone determines the channel.
create index videos_by_id on videos (_id) where active and deleted_at is null;

-- Chapters. A trigger copies them to videos.segments, which the record shows.
create table segments (
  _id         text collate "C" not null,
  site_id     text collate "C" not null,
  video_id    text collate "C" not null,
  description text not null,
  start       integer not null check (start >= 0),
  "end"       integer check ("end" > start),
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index segments_of_video on segments (site_id, video_id, start, _id);

-- Videos that are shown beside a video, in groups that the publisher names.
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

-- Images that publishers upload for videos, playlists and zobjects, unchanged. They are committed with the record
-- that names them.
create table image_files (
  _id          text collate "C" primary key,
  site_id      text collate "C" not null references channels on delete cascade,
  owner_id     text collate "C" not null,
  is_thumbnail boolean not null default false,
  word         text not null,
  content_type text not null,
  bytes        bytea not null,
  created_at   timestamptz(3) not null default now()
);

create index image_files_of_owner on image_files (site_id, owner_id);

-- Player requests. Servers append them every few seconds, and a job adds them to videos once a minute: a write to
-- videos per request would change every list of the channel.
create table video_requests (
  site_id  text collate "C" not null,
  video_id text collate "C" not null,
  requests integer not null
);

-- Plays by video, day and kind of device.
create table plays (
  _id             text collate "C" not null,
  site_id         text collate "C" not null references channels on delete cascade,
  video_id        text collate "C" not null,
  date            timestamptz(3) not null,
  device          text not null,
  plays           integer not null default 0,
  finished        integer not null default 0,
  watched_seconds bigint not null default 0,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (site_id, _id),
  constraint plays_once unique (site_id, video_id, date, device)
)
-- Plays are counted in place. With some room on each page the new version of a row stays on it, and the indexes are not
-- written. docs/decisions/0050 has measurements.
with (fillfactor = 90);

create index plays_by_date on plays (site_id, date, _id);

-- What players report about each play. A job adds the reports to plays once a minute, and deletes them after a day.
create table play_reports (
  site_id         text collate "C" not null,
  video_id        text collate "C" not null,
  play            text collate "C" not null,
  device          text not null,
  began_at        timestamptz(3) not null,
  watched_seconds integer not null default 0,
  ended           boolean not null default false,
  -- What was already added to plays. Null if the play itself was not counted yet.
  counted_seconds integer,
  counted_end     boolean not null default false,
  is_due          boolean not null generated always as (
                    counted_seconds is distinct from watched_seconds or counted_end <> ended
                  ) stored,
  primary key (site_id, video_id, play),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index play_reports_due on play_reports (site_id, video_id, play) where is_due;
create index play_reports_by_beginning on play_reports (began_at);
