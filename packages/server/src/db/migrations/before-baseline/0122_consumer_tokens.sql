-- Tokens of consumers for feeds and apps of the publisher's own. Nobody can know one before it is shown, so each is made when
-- an admin key first reads its consumer: a channel with a million consumers has nothing to wait for.

create table consumer_tokens (
  site_id     text collate "C" not null,
  consumer_id text collate "C" not null,
  kind        text not null check (kind in ('rss_token', 'remember_token')),
  digest      bytea not null,
  sealed      bytea not null,
  created_at  timestamptz(3) not null default now(),
  primary key (site_id, consumer_id, kind),
  foreign key (site_id, consumer_id) references consumers on delete cascade
);

create unique index consumer_tokens_by_digest on consumer_tokens (site_id, kind, digest);

-- Answers get the tokens from their table, so rows that were written before need no new record.
create or replace function consumer_record(consumer consumers) returns text
language plpgsql stable as $$
begin
  return (
    select row_to_json(record)::text from (select
      consumer._id, consumer.site_id, iso(consumer.created_at) as created_at, iso(consumer.updated_at) as updated_at,
      consumer.email, null as rss_token, null as remember_token, consumer.name, consumer.birthday, consumer.sex, consumer.terms, consumer.updates,
      consumer.parental_access_code, consumer.parental_access_rating, consumer.super_watcher, consumer.stripe_id,
      consumer.braintree_id, consumer.recurly_code, consumer.custom,
      iso(consumer.email_verified_at) as email_verified_at, consumer.sign_in_count,
      iso(consumer.current_sign_in_at) as current_sign_in_at, consumer.current_sign_in_ip,
      iso(consumer.last_sign_in_at) as last_sign_in_at, consumer.last_sign_in_ip, consumer.video_count,
      consumer.playlist_count, consumer.pass_count, consumer.transaction_count, consumer.payment_providers,
      null as has_trialed, null as days_trialed, null as linked_devices,
      null as subscription_count, null as subscription_ids, null as subscription_plans
    ) as record
  );
end $$;
