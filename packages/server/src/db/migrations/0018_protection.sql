-- Who may watch where: sites that may embed, encryption of what is sent, what a consumer may watch, and how often a
-- player was asked for.

alter table channels
  add column embed_domains  text[] not null default '{}',
  add column hls_encryption boolean not null default false;

create table video_entitlements (
  _id              text collate "C" not null,
  site_id          text collate "C" not null,
  consumer_id      text collate "C" not null,
  video_id         text collate "C" not null,
  transaction_id   text,
  transaction_type text,
  expires_at       timestamptz(3),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, consumer_id) references consumers on delete cascade,
  foreign key (site_id, video_id) references videos on delete cascade
);

create index video_entitlements_of_consumer on video_entitlements (site_id, consumer_id, video_id);
create index video_entitlements_of_video on video_entitlements (site_id, video_id);

-- Appended by the servers every few seconds, summed into videos once a minute. Not by every request: each write to
-- videos makes every list of the channel another one.
create table video_requests (
  site_id  text collate "C" not null,
  video_id text collate "C" not null,
  requests integer not null
);
