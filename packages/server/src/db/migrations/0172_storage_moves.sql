-- A move of films from one storage to another, so that everyone sees how far it is.
create table storage_moves (
  _id text collate "C" primary key,
  from_place text not null,
  to_place text not null,
  -- Who moves. One who finds another name here stops.
  runner text not null,
  total_objects bigint not null default 0,
  total_bytes bigint not null default 0,
  moved_objects bigint not null default 0,
  moved_bytes bigint not null default 0,
  -- When the present runner began, and what was moved by then: the speed is measured from here.
  resumed_at timestamptz(3) not null default now(),
  resumed_bytes bigint not null default 0,
  begun_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);

-- Objects that could not be moved. They stay in the old place.
create table storage_move_failures (
  move_id text collate "C" not null references storage_moves (_id) on delete cascade,
  key text collate "C" not null,
  reason text not null,
  failed_at timestamptz(3) not null default now(),
  primary key (move_id, key)
);

-- The storages that each running process reads. A move begins only when all of them read the new place.
create table storage_users (
  _id text collate "C" primary key,
  places text[] not null,
  host text not null,
  seen_at timestamptz(3) not null default now()
);
