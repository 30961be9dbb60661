-- Consumers come by the million: their list is counted as it changes, and each has its record ready. A consumer is there or
-- not: none is hidden, none is put aside.


alter table consumers add column record text;

-- test/schema.test.ts holds this against the definition.
create function consumer_record(consumer consumers) returns text
language sql stable as $$
  select row_to_json(record)::text from (select
    consumer._id, consumer.site_id, iso(consumer.created_at) as created_at, iso(consumer.updated_at) as updated_at,
    consumer.email, consumer.name, consumer.birthday, consumer.sex, consumer.terms, consumer.updates,
    consumer.parental_access_code, consumer.parental_access_rating, consumer.super_watcher, consumer.stripe_id,
    consumer.braintree_id, consumer.recurly_code, consumer.custom,
    iso(consumer.email_verified_at) as email_verified_at, consumer.sign_in_count,
    iso(consumer.current_sign_in_at) as current_sign_in_at, consumer.current_sign_in_ip,
    iso(consumer.last_sign_in_at) as last_sign_in_at, consumer.last_sign_in_ip,
    null as subscription_count, null as subscription_ids, null as subscription_plans
  ) as record
$$;

create function keep_consumer_record() returns trigger language plpgsql as $$
begin
  new.record := consumer_record(new);
  return new;
end $$;

create trigger consumers_written before insert or update on consumers
  for each row execute function keep_consumer_record();
update consumers set record = '';
alter table consumers alter column record set not null, alter column record set default '';

create function note_list_insert_plain() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  select site_id, tg_table_name, true, date_trunc('minute', created_at), count(*) from new_rows group by 1, 4;
  return null;
end $$;

-- Counts follow from the time of creation alone, so most changes move nothing; the list's version grows all the same.
create function note_list_update_plain() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  select site_id, tg_table_name, true, date_trunc('minute', created_at), sum(step) from (
    select site_id, created_at, -1 as step from old_rows union all select site_id, created_at, 1 from new_rows
  ) as steps
  group by 1, 4;
  return null;
end $$;

create function note_list_delete_plain() returns trigger language plpgsql as $$
begin
  insert into list_changes (site_id, list, active, minute, delta)
  select site_id, tg_table_name, true, date_trunc('minute', created_at), -count(*) from old_rows group by 1, 4;
  return null;
end $$;

insert into list_minutes (site_id, list, active, minute, total)
select site_id, 'consumers', true, date_trunc('minute', created_at), count(*) from consumers group by 1, 4;
insert into list_days (site_id, list, active, day, total)
select site_id, list, active, date_trunc('day', minute, 'UTC'), sum(total) from list_minutes
where list = 'consumers' group by 1, 2, 3, 4;
insert into list_versions (site_id, list, changes) select distinct site_id, 'consumers', 1 from consumers;

create trigger consumers_inserted after insert on consumers
  referencing new table as new_rows for each statement execute function note_list_insert_plain();
create trigger consumers_updated after update on consumers
  referencing old table as old_rows new table as new_rows for each statement execute function note_list_update_plain();
create trigger consumers_deleted after delete on consumers
  referencing old table as old_rows for each statement execute function note_list_delete_plain();
