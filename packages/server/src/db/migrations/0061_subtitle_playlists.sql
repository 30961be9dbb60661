-- Subtitles that lie at another address as an HLS playlist of WebVTT. The playlists of their video name them.

create table subtitle_playlists (
  _id           text collate "C" not null,
  site_id       text collate "C" not null,
  video_id      text collate "C" not null,
  language      text not null,
  language_code text collate "C" not null,
  source_url    text not null,
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique (site_id, video_id, language_code),
  foreign key (site_id, video_id) references videos on delete cascade
);
