-- Failed attempts, counted in leaky buckets that all nodes share. A bucket is one moment: when everything in it will have
-- been forgotten. An attempt moves that moment on by its share, and there is room while it stays within the bucket's span.
-- Keys are the beginnings of HMACs. Unlogged: after a crash of the database every bucket is empty, and that is fine.

create unlogged table attempts (
  key          bytea primary key,
  forgotten_at timestamptz not null
);

-- The seconds until every bucket has room for an attempt; 0 when each has. It neither locks nor writes.
create function attempts_wait(keys bytea[], shares double precision[], spans double precision[]) returns integer
language sql
return coalesce((
  select greatest(0, ceil(extract(epoch from max(
    kept.forgotten_at + make_interval(secs => given.share - given.span) - clock_timestamp()
  ))))
  from unnest(keys, shares, spans) as given (key, share, span) join attempts as kept on kept.key = given.key
), 0);

-- Takes one attempt from every bucket, or from none: 0, or the seconds until there is room. Shares and spans are in seconds.
-- Rows are locked in the order of their keys, so that two callers never wait for each other.
create function take_attempt(keys bytea[], shares double precision[], spans double precision[]) returns integer
language plpgsql as $$
declare
  moment timestamptz;
  wait   integer;
  bucket record;
  refused boolean;
begin
  loop
    moment := clock_timestamp();
    -- A look first: who is refused neither locks nor writes, so hammering costs little and prolongs nothing.
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

    -- Somebody took the last place after the look. What was taken before this bucket goes back, and we look again.
    update attempts as kept set forgotten_at = kept.forgotten_at - make_interval(secs => given.share)
    from unnest(keys, shares) as given (key, share)
    where kept.key = given.key and given.key < bucket.key;
  end loop;
end $$;

create function give_attempt_back(keys bytea[], shares double precision[]) returns void
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
