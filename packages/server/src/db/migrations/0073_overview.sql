-- What the dashboard's first page and its request log read.

create index videos_failed on videos (site_id, updated_at) where status = 'failed' and deleted_at is null;

create index videos_ending on videos (site_id, disable_at)
  where disable_at is not null and active and deleted_at is null;

-- The requests of apps and scripts, for those who develop them: no query, no body, no address, no credential.
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
