-- Events: docs/decisions/0060-events.md.

-- Which write of a batch this is; 0 outside of batches. api/inner-writes.ts sets it.
create or replace function current_step() returns smallint language sql stable
return coalesce(nullif(current_setting('zoetrope.step', true), '')::smallint, 0);

-- Adds an event in the transaction of the change that it describes. The settings name who made the change: see
-- db/acting-as.ts and films/author.ts.
create or replace function add_event(
  site_id text, type text, resource text, record_id text, state jsonb, previous jsonb default null
) returns void language plpgsql as $$
declare
  moment constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  id     constant text := lpad(to_hex(floor(extract(epoch from moment))::bigint), 8, '0')
                            || lpad(to_hex(nextval('event_numbers')), 16, '0');
begin
  insert into events (
    _id, site_id, created_at, xact, type, resource, record_id, actor, request_id, state, previous, undoes, step
  )
  values (
    id, site_id, moment, pg_current_xact_id(), type, resource, record_id,
    coalesce(
      nullif(current_setting('zoetrope.author', true), ''), nullif(current_setting('zoetrope.actor', true), ''), 'system'
    ),
    nullif(current_setting('zoetrope.request', true), ''), state, previous,
    nullif(current_setting('zoetrope.undoes', true), ''), current_step()
  );
  -- A test goes to one webhook only: features/webhooks.ts makes its delivery.
  if type <> 'webhook.test' and exists (
    select from webhooks where webhooks.site_id = add_event.site_id and active
  ) then
    insert into event_queue (event_id, site_id, type) values (id, site_id, type);
    -- After a request, the server sends these notifications itself (lists/event-hints.ts). Here they would make all commits wait
    -- for each other; changes without a request are rare.
    if coalesce(current_setting('zoetrope.request', true), '') = '' then
      perform pg_notify('zoetrope_events', site_id), pg_notify('zoetrope_webhooks', '');
    end if;
  end if;
end $$;

-- After a dump was restored, its events belong to transactions of another server, and come before all new ones. Adopts
-- some of them, and returns whether there are no others.
create or replace function adopt_events(most integer) returns boolean language plpgsql as $$
declare
  cluster constant text := (select system_identifier from pg_control_system());
  adopted integer;
begin
  if exists (select from event_clusters where identifier = cluster) then
    return true;
  end if;
  update events set xact = '0' where (_id, created_at) in (
    select _id, created_at from events where xact > pg_current_xact_id() limit most
  );
  get diagnostics adopted = row_count;
  if adopted = most then
    return false;
  end if;
  delete from deleted_rows;
  delete from event_clusters;
  insert into event_clusters (identifier) values (cluster);
  return true;
end $$;

-- Makes a partition for every day from today to a week ahead, and drops those that are older than `days`. A day whose
-- events are already in the default partition stays there.
create or replace function keep_event_days(days integer) returns void
language plpgsql
-- Writers wait behind this, so it does not wait for long.
set lock_timeout = '3s' as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  day   date;
  name  text;
begin
  for day in select generate_series(today, today + 7, interval '1 day') loop
    name := 'events_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null or exists (
      select from events_other
      where created_at >= day::timestamp at time zone 'UTC' and created_at < (day + 1)::timestamp at time zone 'UTC'
    );
    execute format('create table %I (like events including all)', name);
    execute format(
      'alter table events attach partition %I for values from (%L) to (%L)',
      name, day || ' 00:00:00+00', day + 1 || ' 00:00:00+00'
    );
  end loop;
  for name in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'events'::regclass and relname ~ '^events_[0-9]{8}$'
      and relname < 'events_' || to_char(today - days, 'YYYYMMDD')
  loop
    execute format('drop table %I', name);
  end loop;
  delete from events_other where created_at < now() - make_interval(days => days);
  delete from deleted_rows where created_at < now() - make_interval(days => days);
end $$;
