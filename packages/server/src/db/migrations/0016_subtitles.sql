-- What is said in a video, as WebVTT made from the file that was uploaded. It commits with its row and needs no storage.

create table subtitles (
  _id               text collate "C" not null,
  site_id           text collate "C" not null,
  video_id          text collate "C" not null,
  language          text not null,
  title             text not null,
  active            boolean not null default true,
  "default"         boolean not null default false,
  forced            boolean not null default false,
  extension_type    text not null check (extension_type in ('srt', 'vtt')),
  file_file_name    text,
  file_content_type text not null,
  file_file_size    integer not null,
  file_fingerprint  text not null,
  file_updated_at   timestamptz(3) not null default now(),
  url               text not null,
  vtt               text not null,
  created_at        timestamptz(3) not null default now(),
  updated_at        timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index subtitles_of_video on subtitles (site_id, video_id, created_at, _id);
create index subtitles_by_id on subtitles (_id);
-- Players tell them apart by their titles.
create unique index subtitles_title_taken on subtitles (site_id, video_id, title) where active;
