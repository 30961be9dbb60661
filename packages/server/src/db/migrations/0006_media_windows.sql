-- Windows of published video: a few segments of one track of a source, made together. A row says who is making one and
-- until when that is believed, or that its files are in storage. No row: nobody has asked for it yet.

create table media_windows (
  source_id   text collate "C" not null,
  track       text collate "C" not null,
  number      integer not null,
  holder      text,
  lease_until timestamptz(3),
  made_at     timestamptz(3),
  bytes       bigint,
  failures    integer not null default 0,
  error       text,
  retry_at    timestamptz(3),
  primary key (source_id, track, number),
  check (made_at is null or (holder is null and lease_until is null))
);

-- After so many failures nobody tries again by itself.
create function hopeless_window(kept media_windows) returns boolean
language sql immutable as $$
  select kept.failures >= 3
$$;

-- Whether somebody may begin to make it: it is not made, nobody holds it any more, and it has not failed just now or too often.
create function free_window(kept media_windows) returns boolean
language sql stable as $$
  select kept.made_at is null and coalesce(kept.lease_until <= now(), true)
    and coalesce(kept.retry_at <= now(), true) and not hopeless_window(kept)
$$;
