-- Rules that say who may watch, by country, kind of device, site and time. Rules of playlists and categories apply to
-- the videos in them. functions/rules.sql evaluates them.

create table video_content_rules (
  _id                 text collate "C" not null,
  site_id             text collate "C" not null,
  video_id            text collate "C" not null,
  name                text,
  policy              text not null default 'deny' check (policy in ('allow', 'deny')),
  priority            integer not null default 1,
  stackable           boolean not null default true,
  enabled             boolean not null default true,
  geographies         jsonb not null default '[]',
  device_ids          text[] not null default '{}',
  device_category_ids text[] not null default '{}',
  domains             text[] not null default '{}',
  starts_at           timestamptz(3),
  ends_at             timestamptz(3),
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index video_content_rules_of_video on video_content_rules (site_id, video_id, priority);

create table playlist_content_rules (
  _id                 text collate "C" not null,
  site_id             text collate "C" not null,
  playlist_id         text collate "C" not null,
  name                text,
  policy              text not null default 'deny' check (policy in ('allow', 'deny')),
  priority            integer not null default 1,
  stackable           boolean not null default true,
  enabled             boolean not null default true,
  geographies         jsonb not null default '[]',
  device_ids          text[] not null default '{}',
  device_category_ids text[] not null default '{}',
  domains             text[] not null default '{}',
  starts_at           timestamptz(3),
  ends_at             timestamptz(3),
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, playlist_id) references playlists on delete cascade
);

create index playlist_content_rules_of_playlist on playlist_content_rules (site_id, playlist_id, priority);

create table category_content_rules (
  _id                 text collate "C" not null,
  site_id             text collate "C" not null,
  category_id         text collate "C" not null,
  name                text,
  policy              text not null default 'deny' check (policy in ('allow', 'deny')),
  priority            integer not null default 1,
  stackable           boolean not null default true,
  enabled             boolean not null default true,
  geographies         jsonb not null default '[]',
  device_ids          text[] not null default '{}',
  device_category_ids text[] not null default '{}',
  domains             text[] not null default '{}',
  starts_at           timestamptz(3),
  ends_at             timestamptz(3),
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, category_id) references categories on delete cascade
);

create index category_content_rules_of_category on category_content_rules (site_id, category_id, priority);

-- One rule in the form in which it is evaluated. `distance` grows from the video outwards, and `places` are the
-- places that the rule names.
create type applied_rule as (
  distance            integer,
  _id                 text,
  policy              text,
  priority            integer,
  stackable           boolean,
  match_type          text,
  places              text[],
  device_ids          text[],
  device_category_ids text[],
  domains             text[],
  starts_at           timestamptz,
  ends_at             timestamptz
);
