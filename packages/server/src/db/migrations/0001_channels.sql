-- Channels and those who may act in them: API keys, apps, publishers.

-- The one form in which a time leaves the database: ISO 8601 with milliseconds, in UTC.
create function iso(moment timestamptz) returns text
language sql immutable parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- What a caller typed into a search: every word must be there, the last one may be the beginning of a word.
create function search_query(typed text) returns tsquery
language sql immutable parallel safe
return (
  select string_agg(
    to_tsquery('simple'::regconfig, quote_literal(word) || case when place = length then ':*' else '' end)::text, ' & '
  )::tsquery
  from (
    select word, place, count(*) over () as length
    from regexp_split_to_table(btrim(regexp_replace(typed, '[^[:alnum:]]+', ' ', 'g')), ' ') with ordinality as split (word, place)
    where word <> ''
  ) as words
);

create table channels (
  _id                     text collate "C" primary key,
  site_id                 text collate "C" not null generated always as (_id) stored,
  title                   text not null,
  first_page              smallint not null default 0 check (first_page in (0, 1)),
  playlist_bundle_enabled boolean not null default false,
  theoplayer_version      text,
  created_at              timestamptz(3) not null default now(),
  updated_at              timestamptz(3) not null default now()
);

-- A key is found by its digest and shown from its ciphertext; the secret behind both is not in the database.
-- A rotated key keeps working until it expires.
create table api_keys (
  _id        text collate "C" primary key,
  site_id    text collate "C" not null references channels on delete cascade,
  kind       text not null check (kind in ('admin', 'read_only', 'player')),
  digest     bytea not null unique,
  sealed     bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3)
);

create index api_keys_of_channel on api_keys (site_id, kind);

create table apps (
  _id            text collate "C" not null,
  site_id        text collate "C" not null references channels on delete cascade,
  title          text collate "C" not null,
  active         boolean not null default true,
  app_key        bytea not null,
  client_id      text not null unique,
  client_secret  bytea not null,
  first_page     smallint check (first_page in (0, 1)),
  public_client  boolean not null default false,
  app_type_id    text,
  device_ids     text[] not null default '{}',
  version        text,
  store_id       text,
  store_icon_url text,
  per_page       integer,
  settings       jsonb not null default '{}',
  search         tsvector generated always as (
                   to_tsvector('simple'::regconfig, regexp_replace(title, '[^[:alnum:]]+', ' ', 'g'))
                 ) stored,
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

-- What an app can be recognised by, the replaced ones until they expire.
create table app_credentials (
  digest     bytea primary key,
  site_id    text collate "C" not null,
  app_id     text collate "C" not null,
  kind       text not null check (kind in ('app_key', 'client_secret')),
  expires_at timestamptz(3),
  foreign key (site_id, app_id) references apps on delete cascade
);

create index app_credentials_of_app on app_credentials (site_id, app_id);

create table publishers (
  _id           text collate "C" primary key,
  email         text not null,
  password_hash text not null,
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now()
);

create unique index publishers_by_email on publishers (lower(email));

create table memberships (
  publisher_id text collate "C" not null references publishers on delete cascade,
  site_id      text collate "C" not null references channels on delete cascade,
  role         text not null check (role in ('owner', 'editor', 'viewer')),
  primary key (publisher_id, site_id)
);

-- Facts about this installation, such as the fingerprint of the SECRET_KEY it was made with.
create table installation (
  name  text primary key,
  value text not null
);
