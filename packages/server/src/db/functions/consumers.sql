-- Records of consumers.

-- The record as the API sends it; test/schema.test.ts compares it with the definition. Tokens are added from their
-- table when an admin key reads the record.
create or replace function consumer_record(consumer consumers) returns text
language plpgsql stable as $$
begin
  return (
    select row_to_json(record)::text from (select
      consumer._id, consumer.site_id, iso(consumer.created_at) as created_at, iso(consumer.updated_at) as updated_at,
      consumer.email, null as rss_token, null as remember_token, consumer.name, consumer.birthday, consumer.sex,
      consumer.terms, consumer.updates,
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
