-- The history: one row for each change of a record, written by note_change() in the transaction of the change. Events,
-- versions of videos and deleted rows that can come back are all read from it: docs/decisions/0060-one-history.md.

-- Which write of a batch this is; 0 outside of batches. api/inner-writes.ts sets it.
create or replace function current_step() returns smallint language sql stable
return coalesce(nullif(current_setting('zoetrope.step', true), '')::smallint, 0);

-- Who makes the changes of this transaction: see db/acting-as.ts.
create or replace function current_actor() returns text language sql stable
return coalesce(nullif(current_setting('zoetrope.actor', true), ''), 'system');

-- The name of a person or of a named key, by an actor such as `editor 65f0…`.
create or replace function name_of_actor(of_site text, actor text) returns text language plpgsql stable as $$
begin
  if actor not like '% %' then
    return null;
  end if;
  return coalesce(
    (select coalesce(name, split_part(email, '@', 1)) from publishers where _id = split_part(actor, ' ', 2)),
    (select name from named_keys where site_id = of_site and _id = split_part(actor, ' ', 2))
  );
end $$;

-- Adds a row to the history and returns its id. A change with a type is an event: readers of events see it, and webhooks
-- send it. It runs with every write: an assignment of an expression without a query costs a tenth of a statement.
create or replace function add_change(
  site_id text, type text, resource text, record_id text, state hstore, previous hstore default null,
  fields text[] default null, author text default null, kept hstore default null
) returns text language plpgsql as $$
declare
  moment  constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  id      constant text := lpad(to_hex(floor(extract(epoch from moment))::bigint), 8, '0')
                             || lpad(to_hex(nextval('event_numbers')), 16, '0');
  -- Set by end_entitlements(): the transaction and the step that these deletions are part of.
  follows constant text := coalesce(current_setting('zoetrope.follows', true), '');
  is_sent boolean;
begin
  insert into events (
    _id, site_id, created_at, xact, type, resource, record_id, actor, request_id, state, previous, undoes, step, fields,
    author, kept
  )
  values (
    id, site_id, moment, case follows when '' then pg_current_xact_id() else split_part(follows, ' ', 1)::xid8 end, type,
    resource, record_id, current_actor(), nullif(current_setting('zoetrope.request', true), ''), state, previous,
    nullif(current_setting('zoetrope.undoes', true), ''),
    case follows when '' then current_step() else split_part(follows, ' ', 2)::smallint end, fields, author, kept
  )
  -- A test goes to one webhook only: features/webhooks.ts makes its delivery.
  returning add_change.type <> 'webhook.test' and exists (
    select from webhooks where webhooks.site_id = add_change.site_id and active
  ) into is_sent;
  if is_sent then
    insert into event_queue (event_id, site_id, type) values (id, site_id, type);
    -- After a request, the server sends these notifications itself (lists/event-hints.ts). Here they would make all commits wait
    -- for each other; changes without a request are rare.
    if coalesce(current_setting('zoetrope.request', true), '') = '' then
      perform pg_notify('zoetrope_events', site_id), pg_notify('zoetrope_webhooks', '');
    end if;
  end if;
  return id;
end $$;

-- Writes the history of a table. The arguments:
-- 1. the name of the record in types of events; empty if only deleted rows are kept
-- 2. columns that events never contain, because they are secret or only an index
-- 3. columns that change without anybody noticing, such as counts, and those that no record shows
-- 4. 'kept' if deleted rows can come back, 'versions' if the record has versions
-- 5. milestones, which are events of their own: 'verb column set' when the column is no longer null, 'verb column changed',
--    or 'verb column is value'
-- 6. the columns of these milestones
-- A deletion that follows from another one, through a foreign key or by end_entitlements(), is no event of its own.
create or replace function note_change() returns trigger language plpgsql as $$
declare
  name       constant text := tg_argv[0];
  hidden     constant text[] := tg_argv[1];
  verb       text;
  id         text;
  was        hstore;
  becomes    hstore;
  changes    hstore;
  fields     text[];
begin
  if tg_op = 'UPDATE' then
    -- The only comparison of the two rows.
    was := hstore(old);
    becomes := hstore(new);
    changes := becomes - was;
    if tg_nargs > 4 and changes ?| tg_argv[5]::text[] then
      perform add_change(new.site_id, name || '.' || milestone, tg_table_name, new._id, becomes - hidden)
      from reached_milestones(tg_argv[4]::text[], was, changes) as milestone;
    end if;
    changes := changes - hidden;
    fields := akeys(changes - tg_argv[2]::text[]);
    if fields = '{}' then
      return null;
    end if;
    verb := case
      when 'deleted_at' <> all (fields) then 'updated'
      when changes -> 'deleted_at' is null then 'restored'
      else 'deleted'
    end;
    id := add_change(
      new.site_id, name || '.' || verb, tg_table_name, new._id, becomes - hidden,
      slice(was, akeys(changes)), fields,
      case when tg_argv[3] = 'versions' then name_of_actor(new.site_id, current_actor()) end
    );
  elsif tg_op = 'INSERT' then
    verb := case when name in ('entitlement', 'playlist_entitlement') then 'granted' else 'created' end;
    -- Set while a deletion is undone: what belonged to the record comes back without events, as it went.
    if coalesce(current_setting('zoetrope.restores', true), '') <> '' then
      if new._id <> current_setting('zoetrope.restores', true) then
        return null;
      end if;
      verb := 'restored';
    end if;
    id := add_change(new.site_id, name || '.' || verb, tg_table_name, new._id, hstore(new) - hidden);
  else
    perform note_deletion(
      tg_table_name, hstore(old), hidden, tg_argv[3] = 'kept',
      -- Null, if it follows from another deletion.
      case when pg_trigger_depth() = 1 and coalesce(current_setting('zoetrope.follows', true), '') = '' then
        nullif(name, '')
      end
    );
  end if;
  return null;
end $$;

create or replace function note_deletion(resource text, was hstore, hidden text[], can_return boolean, name text)
returns void language plpgsql as $$
declare
  -- Not those of videos that are deleted for good, and of whole channels.
  keeps constant boolean := can_return and current_setting('zoetrope.keeps_deleted', true) is distinct from 'no';
begin
  if name is null and not keeps then
    return;
  end if;
  perform add_change(
    was -> 'site_id',
    name || '.' || case
      when name in ('entitlement', 'playlist_entitlement') then 'ended'
      when was -> 'deleted_at' is not null then 'purged'
      else 'deleted'
    end,
    resource, was -> '_id', was - hidden,
    -- The rest of the row.
    kept => case when keeps then slice(was, hidden) end
  );
end $$;

-- The verbs of the milestones that an update has reached. Several columns may have the same one.
create or replace function reached_milestones(milestones text[], was hstore, changes hstore)
returns setof text language sql immutable as $$
  select distinct word[1] from unnest(milestones) as milestone cross join string_to_array(milestone, ' ') as word
  where changes ? word[2] and case word[3]
    when 'set' then was -> word[2] is null
    when 'changed' then was -> word[2] is not null and changes -> word[2] is not null
    else changes -> word[2] = word[4]
  end
$$;

-- After a dump was restored, its events belong to transactions of another server, and come before all new ones. Adopts
-- some of them, and returns whether there are no others. Which rows were deleted together is not known any more.
create or replace function adopt_events(most integer) returns boolean language plpgsql as $$
declare
  cluster constant text := (select system_identifier from pg_control_system());
  adopted integer;
begin
  if exists (select from event_clusters where identifier = cluster) then
    return true;
  end if;
  update events set xact = '0', kept = null where (_id, created_at) in (
    select _id, created_at from events where xact > pg_current_xact_id() limit most
  );
  get diagnostics adopted = row_count;
  if adopted = most then
    return false;
  end if;
  update events set kept = null where kept is not null;
  delete from events where type is null;
  delete from event_clusters;
  insert into event_clusters (identifier) values (cluster);
  return true;
end $$;

-- Makes a partition for every day from today to a week ahead, and drops those that are older than `days`. A day whose
-- events are already in the default partition stays there. keep_versions() comes before it.
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
    execute format('create table %I (like events including all) with (toast_tuple_target = 4080)', name);
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
end $$;
