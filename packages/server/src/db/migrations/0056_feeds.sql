-- Playlists as feeds for others, and the keys that open them.

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

create table feed_keys (
  _id        text collate "C" not null,
  site_id    text collate "C" not null,
  feed_id    text collate "C" not null,
  name       text,
  key        bytea not null,
  -- What a key is recognised by.
  digest     bytea not null unique,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, feed_id) references feeds on delete cascade
);

create index feed_keys_of_feed on feed_keys (site_id, feed_id, created_at, _id);
