-- Counting lists. The note_list functions run as triggers of the counted tables.

-- The version of a list: a number that grows with every write to it.
create or replace function list_version(of_site text, of_list text) returns bigint
language sql stable parallel safe
return (
  coalesce((select changes from list_versions where site_id = of_site and list = of_list), 0)
  + (select count(*) from list_changes where site_id = of_site and list = of_list)
);

-- For tables with active and deleted_at. Records are inserted and updated one by one, where a trigger by row costs less than
-- one by statement, which copies the rows first. A deletion may remove many rows, and appends one sum for all of them.
create or replace function note_list_insert() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  values (new.site_id, tg_table_name, new.active, date_trunc('minute', new.created_at), 1);
  return null;
end $$;

-- A change that moves no count still appends a row, so that the version grows.
create or replace function note_list_update() returns trigger language plpgsql as $$
declare
  was     constant boolean := old.deleted_at is null;
  becomes constant boolean := new.deleted_at is null;
begin
  if was and becomes and old.active = new.active and old.created_at = new.created_at then
    insert into list_changes (site_id, list, active, minute, delta)
    values (new.site_id, tg_table_name, new.active, date_trunc('minute', new.created_at), 0);
    return null;
  end if;
  if was then
    insert into list_changes (site_id, list, active, minute, delta)
    values (old.site_id, tg_table_name, old.active, date_trunc('minute', old.created_at), -1);
  end if;
  if becomes then
    insert into list_changes (site_id, list, active, minute, delta)
    values (new.site_id, tg_table_name, new.active, date_trunc('minute', new.created_at), 1);
  end if;
  return null;
end $$;

create or replace function note_list_delete() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  select site_id, tg_table_name, active, date_trunc('minute', created_at), -count(*)
  from old_rows where deleted_at is null group by 1, 3, 4;
  return null;
end $$;

-- For tables without active and deleted_at. Counts depend only on the time of creation, so most updates append a zero,
-- which makes the version grow.
create or replace function note_list_insert_plain() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  values (new.site_id, tg_table_name, true, date_trunc('minute', new.created_at), 1);
  return null;
end $$;

create or replace function note_list_update_plain() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  values (new.site_id, tg_table_name, true, date_trunc('minute', new.created_at), 0);
  if old.created_at <> new.created_at then
    insert into list_changes (site_id, list, active, minute, delta)
    values (old.site_id, tg_table_name, true, date_trunc('minute', old.created_at), -1),
      (new.site_id, tg_table_name, true, date_trunc('minute', new.created_at), 1);
  end if;
  return null;
end $$;

create or replace function note_list_delete_plain() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  select site_id, tg_table_name, true, date_trunc('minute', created_at), -count(*) from old_rows group by 1, 4;
  return null;
end $$;

-- Adds up to `batch` waiting changes to the sums and returns how many. Only one process does this at a time. It is one
-- statement, so a reader sees all of it or nothing.
create or replace function fold_list_changes(batch integer) returns integer language plpgsql as $$
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
