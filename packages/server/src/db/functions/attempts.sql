-- Limits on guessing, as leaky buckets in the table `attempts` (schema/03-lists.sql). Shares and spans are in seconds.

-- Returns the seconds until every bucket has room for an attempt, or 0. It neither locks nor writes.
create or replace function attempts_wait(keys bytea[], shares double precision[], spans double precision[])
returns integer language sql
return coalesce((
  select greatest(0, ceil(extract(epoch from max(
    kept.forgotten_at + make_interval(secs => given.share - given.span) - clock_timestamp()
  ))))
  from unnest(keys, shares, spans) as given (key, share, span) join attempts as kept on kept.key = given.key
), 0);

-- Takes one attempt from every bucket, or from none. Returns 0, or the seconds until there is room. Rows are locked in
-- the order of their keys, to avoid deadlock.
create or replace function take_attempt(keys bytea[], shares double precision[], spans double precision[])
returns integer language plpgsql as $$
declare
  moment timestamptz;
  wait   integer;
  bucket record;
  refused boolean;
begin
  loop
    moment := clock_timestamp();
    -- Check first: a refused caller neither locks nor writes, so repeated attempts are cheap and do not prolong the
    -- wait.
    wait := attempts_wait(keys, shares, spans);
    if wait > 0 then
      return wait;
    end if;

    refused := false;
    for bucket in
      select given.key, make_interval(secs => given.share) as share, make_interval(secs => given.span) as span
      from unnest(keys, shares, spans) as given (key, share, span) order by given.key
    loop
      insert into attempts as kept (key, forgotten_at) values (bucket.key, moment + bucket.share)
      on conflict (key) do update set forgotten_at = greatest(kept.forgotten_at, moment) + bucket.share
      where greatest(kept.forgotten_at, moment) + bucket.share <= moment + bucket.span;
      refused := not found;
      exit when refused;
    end loop;
    if not refused then
      return 0;
    end if;

    -- Another caller took the last attempt after the check. Return what was taken from earlier buckets, and check
    -- again.
    update attempts as kept set forgotten_at = kept.forgotten_at - make_interval(secs => given.share)
    from unnest(keys, shares) as given (key, share)
    where kept.key = given.key and given.key < bucket.key;
  end loop;
end $$;

-- Returns an attempt that turned out to be no failure.
create or replace function give_attempt_back(keys bytea[], shares double precision[]) returns void
language plpgsql as $$
declare
  bucket record;
begin
  for bucket in
    select given.key, make_interval(secs => given.share) as share
    from unnest(keys, shares) as given (key, share) order by given.key
  loop
    update attempts set forgotten_at = forgotten_at - bucket.share where key = bucket.key;
  end loop;
end $$;
