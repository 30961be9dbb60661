-- Leave to upload without a key, how much a channel may keep, and how far resumable uploads are.

create table upload_tokens (
  _id        text collate "C" not null,
  site_id    text collate "C" not null references channels on delete cascade,
  digest     bytea not null unique,
  video_id   text collate "C",
  max_bytes  bigint,
  uploads    integer not null default 1,
  begun      integer not null default 0,
  active     boolean not null default false,
  expires_in integer not null default 3600,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create index upload_tokens_by_end on upload_tokens (expires_at);

-- Null to follow the setting CHANNEL_GB, -1 for no limit.
alter table channels add column storage_limit bigint;

alter table uploads
  add column updated_at timestamptz(3) not null default now(),
  -- How many bytes are known to have arrived.
  add column "offset" bigint not null default 0,
  add column progress integer not null generated always as (("offset" * 100 / length)::integer) stored,
  add column status text not null
    generated always as (case when finished_at is null then 'uploading' else 'finished' end) stored,
  -- Begun with a token that makes no active videos.
  add column hidden boolean not null default false,
  alter column file_name set default '';

-- A finished upload has all of its bytes.
update uploads set "offset" = length where finished_at is not null;

create index uploads_under_way on uploads (site_id, video_id) where finished_at is null;
