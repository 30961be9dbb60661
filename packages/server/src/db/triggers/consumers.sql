-- The record and the counts in the rows of consumers.

-- Builds the record. It must be the last BEFORE trigger.
create or replace function keep_consumer_record() returns trigger language plpgsql as $$
begin
  new.record := consumer_record(new);
  return new;
end $$;

create or replace trigger consumers_written before insert or update on consumers
  for each row execute function keep_consumer_record();

-- The list of consumers is counted: functions/lists.sql.
create or replace trigger consumers_inserted after insert on consumers
  referencing new table as new_rows for each statement execute function note_list_insert_plain();
create or replace trigger consumers_updated after update on consumers
  referencing old table as old_rows new table as new_rows for each statement execute function note_list_update_plain();
create or replace trigger consumers_deleted after delete on consumers
  referencing old table as old_rows for each statement execute function note_list_delete_plain();

-- Counts the entitlements of consumers.
create or replace function note_entitlements_given() returns trigger language plpgsql as $$
begin
  perform count_entitlements(tg_table_name, array_agg(site_id), array_agg(consumer_id), array_agg(held))
  from (select site_id, consumer_id, count(*) as held from new_rows group by 1, 2) as given;
  return null;
end $$;

create or replace function note_entitlements_taken() returns trigger language plpgsql as $$
begin
  perform count_entitlements(tg_table_name, array_agg(site_id), array_agg(consumer_id), array_agg(-held))
  from (select site_id, consumer_id, count(*) as held from old_rows group by 1, 2) as taken;
  return null;
end $$;

create or replace trigger video_entitlements_given after insert on video_entitlements
  referencing new table as new_rows for each statement execute function note_entitlements_given();
create or replace trigger video_entitlements_taken after delete on video_entitlements
  referencing old table as old_rows for each statement execute function note_entitlements_taken();
create or replace trigger playlist_entitlements_given after insert on playlist_entitlements
  referencing new table as new_rows for each statement execute function note_entitlements_given();
create or replace trigger playlist_entitlements_taken after delete on playlist_entitlements
  referencing old table as old_rows for each statement execute function note_entitlements_taken();

-- Counts the payments of consumers.
create or replace function note_payment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform count_payments(old.site_id, old.consumer_id); end if;
  if tg_op <> 'DELETE' then perform count_payments(new.site_id, new.consumer_id); end if;
  return null;
end $$;

create or replace trigger transactions_noted
  after insert or delete or update of consumer_id, provider, pass_plan_id on transactions
  for each row execute function note_payment();
create or replace trigger subscriptions_noted
  after insert or delete or update of consumer_id, payment_provider on subscriptions
  for each row execute function note_payment();
