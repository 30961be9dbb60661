-- What the rows of consumers count.

-- Counts the entitlements of consumers.
create or replace function count_changed_entitlements() returns trigger language plpgsql as $$
begin
  perform count_entitlements(tg_table_name, array_agg(site_id), array_agg(consumer_id), array_agg(step)) from (
    select site_id, consumer_id, case tg_op when 'INSERT' then 1 else -1 end * count(*) as step
    from changed_rows group by 1, 2
  ) as counted;
  return null;
end $$;

create or replace trigger video_entitlements_given after insert on video_entitlements
  referencing new table as changed_rows for each statement execute function count_changed_entitlements();
create or replace trigger video_entitlements_taken after delete on video_entitlements
  referencing old table as changed_rows for each statement execute function count_changed_entitlements();
create or replace trigger playlist_entitlements_given after insert on playlist_entitlements
  referencing new table as changed_rows for each statement execute function count_changed_entitlements();
create or replace trigger playlist_entitlements_taken after delete on playlist_entitlements
  referencing old table as changed_rows for each statement execute function count_changed_entitlements();

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
