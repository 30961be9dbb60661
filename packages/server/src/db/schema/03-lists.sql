-- Exact counts of lists at any time: by channel, list, active or not, day and minute. Writers append differences, so
-- they never wait for each other; fold_list_changes() adds them up later. bench/README.md has measurements.

-- Differences that are not added up yet.
create table list_changes (
  seq     bigint generated always as identity primary key,
  site_id text collate "C" not null,
  list    text not null,
  active  boolean not null,
  minute  timestamptz not null,
  delta   integer not null
);

create index list_changes_of_list on list_changes (site_id, list);

create table list_minutes (
  site_id text collate "C" not null,
  list    text not null,
  active  boolean not null,
  minute  timestamptz not null,
  total   integer not null,
  primary key (site_id, list, active, minute)
);

create table list_days (
  site_id text collate "C" not null,
  list    text not null,
  active  boolean not null,
  day     timestamptz not null,
  total   integer not null,
  primary key (site_id, list, active, day)
);

-- The number of changes added up so far. Together with the pending ones it is the version of a list, which grows with
-- every write.
create table list_versions (
  site_id text collate "C" not null,
  list    text not null,
  changes bigint not null,
  primary key (site_id, list)
);

-- Failed guesses, counted in leaky buckets that all nodes share. A bucket is one timestamp: the time at which it will
-- be empty. Each attempt moves it forward, and is allowed while it stays within the span of the bucket. Keys are
-- prefixes of HMACs. The table is unlogged: a crash of the database empties every bucket, which is acceptable.
create unlogged table attempts (
  key          bytea primary key,
  forgotten_at timestamptz not null
);
