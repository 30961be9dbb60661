-- Zobjects: records of types that the channel defines, attached to videos and playlists. Triggers show them in the
-- rows of videos.

create table zobject_types (
  _id                text collate "C" not null,
  site_id            text collate "C" not null references channels on delete cascade,
  title              text collate "C" not null,
  description        text,
  videos_enabled     boolean not null default true,
  playlists_enabled  boolean not null default true,
  zobject_count      integer not null default 0,
  zobject_attributes jsonb not null default '[]',
  search             tsvector generated always as (words_in(title)) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique (site_id, title)
);

create table zobjects (
  _id                text collate "C" not null,
  site_id            text collate "C" not null,
  zobject_type       text collate "C" not null,
  zobject_type_id    text collate "C" not null,
  zobject_type_title text not null generated always as (zobject_type) stored,
  title              text collate "C" not null,
  friendly_title     text not null,
  description        text,
  active             boolean not null default false,
  keywords           text[] not null default '{}',
  video_ids          text[] not null default '{}',
  pictures           jsonb not null default '[]',
  custom             jsonb not null default '{}',
  search             tsvector generated always as (search_words(title, keywords, null)) stored,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  playlist_ids       text[] not null default '{}',
  primary key (site_id, _id),
  foreign key (site_id, zobject_type_id) references zobject_types on delete cascade,
  foreign key (site_id, zobject_type) references zobject_types (site_id, title) on update cascade on delete cascade
);

create index zobjects_of_type on zobjects (site_id, zobject_type_id, created_at, _id);
create index zobjects_by_title_of_type on zobjects (site_id, zobject_type_id, title, _id);
create index zobjects_of_type_title on zobjects (site_id, zobject_type);
create index zobjects_by_words on zobjects using gin (site_id, search);
create index zobjects_by_attribute on zobjects using gin (site_id, custom jsonb_path_ops);
create index zobjects_by_video on zobjects using gin (site_id, video_ids) where video_ids <> '{}';
create index zobjects_by_playlist on zobjects using gin (site_id, playlist_ids) where playlist_ids <> '{}';
create unique index zobjects_by_friendly_title on zobjects (site_id, zobject_type_id, friendly_title);

create table zobject_videos (
  site_id    text collate "C" not null,
  zobject_id text collate "C" not null,
  video_id   text collate "C" not null,
  place      bigint generated always as identity,
  primary key (site_id, zobject_id, video_id),
  foreign key (site_id, zobject_id) references zobjects on delete cascade,
  foreign key (site_id, video_id) references videos on delete cascade
);

create index zobject_videos_of_video on zobject_videos (site_id, video_id);

create table zobject_playlists (
  site_id     text collate "C" not null,
  zobject_id  text collate "C" not null,
  playlist_id text collate "C" not null,
  place       bigint generated always as identity,
  primary key (site_id, zobject_id, playlist_id),
  foreign key (site_id, zobject_id) references zobjects on delete cascade,
  foreign key (site_id, playlist_id) references playlists on delete cascade
);

create index zobject_playlists_of_playlist on zobject_playlists (site_id, playlist_id);
