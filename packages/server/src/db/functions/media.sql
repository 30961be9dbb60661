-- Leases of windows, and when feeds are read again.

-- After this many failures no worker tries again on its own: three if the film is damaged, about an hour of attempts
-- with growing pauses if something else failed.
create or replace function hopeless_window(kept media_windows) returns boolean
language sql immutable as $$
  select kept.failures >= 3 or kept.mishaps >= 12
$$;

-- Whether a process may start to encode a window: it is not encoded yet, no other process holds the lease, and it has
-- not failed recently or too often.
create or replace function free_window(kept media_windows) returns boolean
language sql stable as $$
  select kept.made_at is null and coalesce(kept.lease_until <= now(), true)
    and coalesce(kept.retry_at <= now(), true) and not hopeless_window(kept)
$$;

-- The same for a process that a viewer waits for. It may also take over a window that another process encodes ahead of
-- time.
create or replace function may_take_window(kept media_windows, yields boolean) returns boolean
language sql stable as $$
  select free_window(kept) or (kept.holder is not null and kept.yields and not yields)
$$;

-- The interval between two readings of a feed.
create or replace function reading_pause(sync_interval text) returns interval language sql immutable parallel safe
return case sync_interval when 'hourly' then interval '1 hour' else interval '1 day' end;
