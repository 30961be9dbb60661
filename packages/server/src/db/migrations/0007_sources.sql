-- The files that publishers upload, with what is known about each and how its published form is laid out.

create table sources (
  _id        text collate "C" not null,
  site_id    text collate "C" not null,
  video_id   text collate "C" not null,
  file_name  text,
  bytes      bigint not null,
  sha256     text not null,
  facts      jsonb,
  plan       jsonb,
  failures   integer not null default 0,
  error      text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index sources_of_video on sources (site_id, video_id);
create index sources_by_id on sources (_id);

-- The source that a video is made from.
alter table videos add column media_source_id text collate "C";
