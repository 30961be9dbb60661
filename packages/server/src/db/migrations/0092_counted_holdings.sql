-- How much a consumer has been given and has bought is kept in the consumer's own row, in the same transaction: so it is true
-- whenever it is read, and consumers by the million can be filtered by it.

alter table consumers
  add column video_count       integer not null default 0,
  add column playlist_count    integer not null default 0,
  add column pass_count        integer not null default 0,
  add column transaction_count integer not null default 0,
  add column payment_providers text[] not null default '{}';

-- test/schema.test.ts holds this against the definition.
create or replace function consumer_record(consumer consumers) returns text
language sql stable as $$
  select row_to_json(record)::text from (select
    consumer._id, consumer.site_id, iso(consumer.created_at) as created_at, iso(consumer.updated_at) as updated_at,
    consumer.email, consumer.name, consumer.birthday, consumer.sex, consumer.terms, consumer.updates,
    consumer.parental_access_code, consumer.parental_access_rating, consumer.super_watcher, consumer.stripe_id,
    consumer.braintree_id, consumer.recurly_code, consumer.custom,
    iso(consumer.email_verified_at) as email_verified_at, consumer.sign_in_count,
    iso(consumer.current_sign_in_at) as current_sign_in_at, consumer.current_sign_in_ip,
    iso(consumer.last_sign_in_at) as last_sign_in_at, consumer.last_sign_in_ip, consumer.video_count,
    consumer.playlist_count, consumer.pass_count, consumer.transaction_count, consumer.payment_providers,
    null as has_trialed, null as days_trialed, null as linked_devices,
    null as subscription_count, null as subscription_ids, null as subscription_plans
  ) as record
$$;

-- What is in transactions and subscriptions, of whoever is paid there.
create function payments_of(of_site text, of_consumer text)
returns table (transactions integer, passes integer, providers text[]) language sql stable as $$
  select count(*) filter (where bought), count(pass_plan_id),
    coalesce(array_agg(distinct provider order by provider) filter (where provider is not null), '{}')
  from (
    select true as bought, pass_plan_id, provider from transactions
    where site_id = of_site and consumer_id = of_consumer
    union all
    select false, null, payment_provider from subscriptions where site_id = of_site and consumer_id = of_consumer
  ) as payments
$$;

alter table consumers disable trigger consumers_updated;
update consumers set
  video_count = (
    select count(*) from video_entitlements as held
    where held.site_id = consumers.site_id and held.consumer_id = consumers._id
  ),
  playlist_count = (
    select count(*) from playlist_entitlements as held
    where held.site_id = consumers.site_id and held.consumer_id = consumers._id
  ),
  (transaction_count, pass_count, payment_providers) = (select * from payments_of(consumers.site_id, consumers._id))
where (site_id, _id) in (
  select site_id, consumer_id from video_entitlements union select site_id, consumer_id from playlist_entitlements
  union select site_id, consumer_id from transactions union select site_id, consumer_id from subscriptions
);
alter table consumers enable trigger consumers_updated;

-- Entitlements are counted by how many came or went: one consumer may have thousands. None moves to another consumer.
create function count_entitlements(of_kind text, site_ids text[], consumer_ids text[], steps bigint[]) returns void
language plpgsql as $$
begin
  -- In one order, so that two who change what many have do not wait for each other.
  perform from consumers join unnest(site_ids, consumer_ids) as held (site, consumer) on site_id = site and _id = consumer
  order by site_id, _id for no key update of consumers;
  update consumers set
    video_count = video_count + case of_kind when 'video_entitlements' then step else 0 end,
    playlist_count = playlist_count + case of_kind when 'playlist_entitlements' then step else 0 end
  from unnest(site_ids, consumer_ids, steps) as held (site, consumer, step) where site_id = site and _id = consumer;
end $$;

create function note_entitlements_given() returns trigger language plpgsql as $$
begin
  perform count_entitlements(tg_table_name, array_agg(site_id), array_agg(consumer_id), array_agg(held))
  from (select site_id, consumer_id, count(*) as held from new_rows group by 1, 2) as given;
  return null;
end $$;

create function note_entitlements_taken() returns trigger language plpgsql as $$
begin
  perform count_entitlements(tg_table_name, array_agg(site_id), array_agg(consumer_id), array_agg(-held))
  from (select site_id, consumer_id, count(*) as held from old_rows group by 1, 2) as taken;
  return null;
end $$;

create trigger video_entitlements_given after insert on video_entitlements
  referencing new table as new_rows for each statement execute function note_entitlements_given();
create trigger video_entitlements_taken after delete on video_entitlements
  referencing old table as old_rows for each statement execute function note_entitlements_taken();
create trigger playlist_entitlements_given after insert on playlist_entitlements
  referencing new table as new_rows for each statement execute function note_entitlements_given();
create trigger playlist_entitlements_taken after delete on playlist_entitlements
  referencing old table as old_rows for each statement execute function note_entitlements_taken();

-- Payments are few, and change hands: they are counted anew. The consumer is held first, so that what others have just
-- committed is counted too.
create function count_payments(of_site text, of_consumer text) returns void language plpgsql as $$
begin
  perform from consumers where site_id = of_site and _id = of_consumer for no key update;
  update consumers set transaction_count = transactions, pass_count = passes, payment_providers = providers
  from payments_of(of_site, of_consumer)
  where site_id = of_site and _id = of_consumer
    and (transaction_count, pass_count, payment_providers) is distinct from (transactions, passes, providers);
end $$;

create function note_payment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform count_payments(old.site_id, old.consumer_id); end if;
  if tg_op <> 'DELETE' then perform count_payments(new.site_id, new.consumer_id); end if;
  return null;
end $$;

create trigger transactions_noted after insert or delete or update of consumer_id, provider, pass_plan_id on transactions
  for each row execute function note_payment();
create trigger subscriptions_noted after insert or delete or update of consumer_id, payment_provider on subscriptions
  for each row execute function note_payment();

-- As lists ask for them: whole numbers are compared with any number.
create index consumers_by_videos on consumers (site_id, (video_count::double precision));
create index consumers_by_playlists on consumers (site_id, (playlist_count::double precision));
create index consumers_by_passes on consumers (site_id, (pass_count::double precision));
create index consumers_by_transactions on consumers (site_id, (transaction_count::double precision));
create index consumers_by_provider on consumers using gin (site_id, payment_providers)
  where payment_providers <> '{}';
