-- Channels, the keys and apps that act in them, and the defaults of every channel.

create extension if not exists btree_gin;
-- Compares the rows of a change.
create extension if not exists hstore;
-- Finds known words that resemble a misspelt one.
create extension if not exists pg_trgm;

-- A channel, which the API calls a site. Every other table names it in site_id.
create table channels (
  _id                     text collate "C" primary key,
  site_id                 text collate "C" not null generated always as (_id) stored,
  title                   text not null,
  first_page              smallint not null default 0 check (first_page in (0, 1)),
  playlist_bundle_enabled boolean not null default false,
  theoplayer_version      text,
  created_at              timestamptz(3) not null default now(),
  updated_at              timestamptz(3) not null default now(),
  logo_url                text,
  brand_color             text,
  support_url             text,
  verify_email            boolean not null default false,
  reset_password_url      text,
  -- In bytes. Null follows the setting CHANNEL_GB, and -1 means no limit.
  storage_limit           bigint,
  embed_domains           text[] not null default '{}',
  hls_encryption          boolean not null default false,
  -- Whether viewers share the addresses of segments of films that not everybody may watch.
  shared_segments         boolean not null default false,
  respect_do_not_track    boolean not null default false,
  player_color            text,
  player_logo_url         text,
  player_autoplay         boolean not null default false,
  player_muted            boolean not null default false,
  player_loop             boolean not null default false,
  player_controls         boolean not null default true,
  -- Where viewers sign in, subscribe and buy. The share page of a video that they may not watch links to it.
  sign_in_url             text,
  subscribe_url           text,
  purchase_url            text
);

-- A key is looked up by its digest and shown from its ciphertext. The secret behind both is not in the database. A
-- rotated key works until it expires.
create table api_keys (
  _id        text collate "C" primary key,
  site_id    text collate "C" not null references channels on delete cascade,
  kind       text not null check (kind in ('admin', 'read_only', 'player')),
  digest     bytea not null unique,
  sealed     bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  used_at    timestamptz(3)
);

create index api_keys_of_channel on api_keys (site_id, kind);

-- Keys with a name, scopes, an expiry and the networks they may be used from. A key is shown once: only its digest and its
-- last four characters are stored.
create table named_keys (
  _id              text collate "C" not null,
  site_id          text collate "C" not null references channels on delete cascade,
  name             text collate "C" not null,
  scopes           text[] not null default '{}' check (scopes <> '{}'),
  expires_at       timestamptz(3),
  allowed_networks text[] not null default '{}',
  strict           boolean not null default false,
  requests_per_minute integer,
  last_used_at     timestamptz(3),
  last_four        text not null,
  digest           bytea not null unique,
  search           tsvector generated always as (words_in(name)) stored,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create unique index named_keys_by_name on named_keys (site_id, lower(name));

-- Keys with which publishers' servers sign playback tokens. The private half is shown once and not stored.
create table signing_keys (
  _id        text collate "C" not null,
  site_id    text collate "C" not null references channels on delete cascade,
  name       text collate "C" not null,
  public_key text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

-- A token names its key, and not the channel.
create unique index signing_keys_by_id on signing_keys (_id);

-- Apps for TVs, phones and browsers.
create table apps (
  _id                  text collate "C" not null,
  site_id              text collate "C" not null references channels on delete cascade,
  title                text collate "C" not null,
  active               boolean not null default true,
  app_key              bytea not null,
  client_id            text not null unique,
  client_secret        bytea not null,
  first_page           smallint check (first_page in (0, 1)),
  public_client        boolean not null default false,
  app_type_id          text,
  device_ids           text[] not null default '{}',
  version              text,
  store_id             text,
  store_icon_url       text,
  per_page             integer,
  settings             jsonb not null default '{}',
  search               tsvector generated always as (words_in(title)) stored,
  created_at           timestamptz(3) not null default now(),
  updated_at           timestamptz(3) not null default now(),
  password_grant       boolean not null default true,
  device_renewal       text not null default 'same_network'
                       check (device_renewal in ('same_network', 'always', 'never')),
  redirect_uris        text[] not null default '{}',
  theme                text not null default 'light',
  featured_playlist_id text collate "C",
  device_linking       boolean not null default true,
  in_app_purchase      boolean not null default false,
  primary key (site_id, _id)
);

-- Digests that identify an app. Replaced ones stay until they expire.
create table app_credentials (
  digest     bytea primary key,
  site_id    text collate "C" not null,
  app_id     text collate "C" not null,
  kind       text not null check (kind in ('app_key', 'client_secret')),
  expires_at timestamptz(3),
  foreign key (site_id, app_id) references apps on delete cascade
);

create index app_credentials_of_app on app_credentials (site_id, app_id);

-- Facts about this installation, such as the fingerprint of the SECRET_KEY it was created with.
create table installation (
  name  text primary key,
  value text not null
);

-- The formats that a channel publishes. A video may override them (videos.formats).
create table formats (
  _id        text collate "C" primary key references channels on delete cascade,
  site_id    text collate "C" not null generated always as (_id) stored,
  hls_240p   boolean not null default true,
  hls_360p   boolean not null default true,
  hls_480p   boolean not null default true,
  hls_720p   boolean not null default true,
  hls_1080p  boolean not null default true,
  webm_360p  boolean not null default true,
  mp4_360p   boolean not null default true,
  -- Counts the changes, so that work for an earlier choice stops.
  revision   integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

-- The kinds of device that people watch on, in categories. Every channel has the same ones, with ids of its own.
create table device_categories (
  _id                text collate "C" not null,
  site_id            text collate "C" not null references channels on delete cascade,
  name               text collate "C" not null,
  image_content_type text,
  image_file_name    text,
  image_file_size    integer,
  image_fingerprint  text,
  image_updated_at   timestamptz(3),
  search             tsvector generated always as (words_in(name)) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique (site_id, name)
);

create table devices (
  _id                text collate "C" not null,
  site_id            text collate "C" not null references channels on delete cascade,
  name               text collate "C" not null,
  description        text not null,
  device_category_id text collate "C" not null,
  search             tsvector generated always as (words_in(name)) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique (site_id, name),
  foreign key (site_id, device_category_id) references device_categories on delete cascade
);

-- The ways to earn money that every channel has.
create table revenue_models (
  _id         text collate "C" not null,
  site_id     text collate "C" not null references channels on delete cascade,
  name        text not null,
  description text not null,
  search      tsvector generated always as (words_in(name)) stored,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

-- Requests of apps and scripts, kept for a week for their developers. The log holds no query, body, address or
-- credential.
create table request_log (
  _id        text collate "C" not null,
  site_id    text collate "C" not null references channels on delete cascade,
  created_at timestamptz(3) not null,
  method     text not null,
  path       text not null,
  status     smallint not null,
  ms         integer not null,
  credential text not null,
  request_id text not null,
  primary key (site_id, _id)
);

create index request_log_by_age on request_log (created_at);

-- The answers to requests with an Idempotency-Key, for a day. A row is written in the transaction of its request.
create table idempotent_requests (
  site_id      text collate "C" not null,
  caller       text collate "C" not null,
  key          text collate "C" not null,
  -- Of the request: another one with the same key is refused.
  digest       bytea not null,
  status       smallint,
  content_type text,
  -- Sealed, because answers may contain secrets that are shown once.
  body         bytea,
  -- A repeated request gets the same ids of events as the first.
  event_ids    text,
  created_at   timestamptz(3) not null default now(),
  primary key (site_id, caller, key)
);

create index idempotent_requests_by_age on idempotent_requests (created_at);
