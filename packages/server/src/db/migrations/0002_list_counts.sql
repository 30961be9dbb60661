-- How many records a list has, exactly and at once: by channel, list, whether active, day and minute.
-- Writers append differences, so they never wait for each other; fold_list_changes() sums them up later.
-- Numbers and measurements: bench/README.md.

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

-- How many changes have been folded. With those still waiting it is the list's version: it grows with every write.
create table list_versions (
  site_id text collate "C" not null,
  list    text not null,
  changes bigint not null,
  primary key (site_id, list)
);

create function list_version(of_site text, of_list text) returns bigint
language sql stable parallel safe
return (
  coalesce((select changes from list_versions where site_id = of_site and list = of_list), 0)
  + (select count(*) from list_changes where site_id = of_site and list = of_list)
);

-- Statement triggers of a table whose rows have site_id, active, deleted_at and created_at.
-- A change that moves no count still appends a row: it makes the list's version grow.
create function note_list_insert() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  select site_id, tg_table_name, active, date_trunc('minute', created_at), count(*)
  from new_rows where deleted_at is null group by 1, 3, 4;
  return null;
end $$;

create function note_list_update() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  select site_id, tg_table_name, active, date_trunc('minute', created_at), sum(step)
  from (
    select site_id, active, created_at, -1 as step from old_rows where deleted_at is null
    union all
    select site_id, active, created_at, 1 from new_rows where deleted_at is null
  ) as steps
  group by 1, 3, 4;
  return null;
end $$;

create function note_list_delete() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  select site_id, tg_table_name, active, date_trunc('minute', created_at), -count(*)
  from old_rows where deleted_at is null group by 1, 3, 4;
  return null;
end $$;

-- Moves waiting changes into the sums, at most `batch` of them; answers how many. One folder at a time.
-- It is one statement, so a reader sees all of it or nothing.
create function fold_list_changes(batch integer) returns integer language plpgsql as $$
declare
  folded integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('fold_list_changes')) then return 0; end if;
  with taken as (
    delete from list_changes where seq in (select seq from list_changes order by seq limit batch) returning *
  ), minutes as (
    insert into list_minutes as old (site_id, list, active, minute, total)
    select site_id, list, active, minute, sum(delta) from taken group by 1, 2, 3, 4 having sum(delta) <> 0
    on conflict (site_id, list, active, minute) do update set total = old.total + excluded.total
  ), days as (
    insert into list_days as old (site_id, list, active, day, total)
    select site_id, list, active, date_trunc('day', minute, 'UTC'), sum(delta) from taken
    group by 1, 2, 3, 4 having sum(delta) <> 0
    on conflict (site_id, list, active, day) do update set total = old.total + excluded.total
  ), versions as (
    insert into list_versions as old (site_id, list, changes)
    select site_id, list, count(*) from taken group by 1, 2
    on conflict (site_id, list) do update set changes = old.changes + excluded.changes
  )
  select count(*) into folded from taken;
  return folded;
end $$;
