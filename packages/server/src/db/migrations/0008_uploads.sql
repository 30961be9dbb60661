-- Uploads that come in pieces. Whoever knows the id may go on with one; their bytes are in the media storage.

create table uploads (
  _id         text collate "C" not null,
  site_id     text collate "C" not null references channels on delete cascade,
  -- What the file becomes, named ahead: the bytes lie under it while they come.
  source_id   text collate "C" not null,
  -- The video that the file is for, or that was made of it.
  video_id    text collate "C",
  length      bigint not null,
  file_name   text not null,
  -- As it was sent: what the video is to be is read from it again when the last byte is there.
  metadata    text not null,
  expires_at  timestamptz(3) not null default now() + interval '24 hours',
  finished_at timestamptz(3),
  created_at  timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create unique index uploads_by_id on uploads (_id);
create index uploads_by_source on uploads (source_id);
create index uploads_by_end on uploads (expires_at);
