-- Counting lists. The note_list functions run as triggers of the counted tables, by row: records are inserted
-- and updated one by one, where a trigger by statement, which copies the rows first, costs more.

-- The version of a list: a number that grows with every write to it.
create or replace function list_version(of_site text, of_list text) returns bigint
language sql stable parallel safe
return (
  coalesce((select changes from list_versions where site_id = of_site and list = of_list), 0)
  + (select count(*) from list_changes where site_id = of_site and list = of_list)
);

-- For tables with active and deleted_at. A change that moves no count still appends a row, so that the version grows.
create or replace function note_list_change() returns trigger language plpgsql as $$
declare
  was     constant boolean := tg_op <> 'INSERT' and old.deleted_at is null;
  becomes constant boolean := tg_op <> 'DELETE' and new.deleted_at is null;
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

-- For tables without them: counts depend only on the time of creation.
create or replace function note_list_change_plain() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.created_at = new.created_at then
    insert into list_changes (site_id, list, active, minute, delta)
    values (new.site_id, tg_table_name, true, date_trunc('minute', new.created_at), 0);
    return null;
  end if;
  if tg_op <> 'INSERT' then
    insert into list_changes (site_id, list, active, minute, delta)
    values (old.site_id, tg_table_name, true, date_trunc('minute', old.created_at), -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into list_changes (site_id, list, active, minute, delta)
    values (new.site_id, tg_table_name, true, date_trunc('minute', new.created_at), 1);
  end if;
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
