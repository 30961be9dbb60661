-- The records that rows keep ready, as the API sends them.
-- Written by `npm run generate -- sql` from the contract. Do not edit it.

create or replace function video_record(video videos) returns text
language plpgsql stable as $$
begin
  return (
    select row_to_json(record)::text from (select
      video._id, video.site_id, iso(video.created_at) as created_at, iso(video.updated_at) as updated_at, video.title,
      video.friendly_title, video.internal_title, video.description, video.short_description, video.keywords,
      video.active, iso(video.enable_at) as enable_at, iso(video.disable_at) as disable_at,
      iso(video.published_at) as published_at, video.featured, video.mature_content, video.parental_guidelines_rating,
      video.country, video.language, video.genre, video.episode, video.season, video.series_id, video.source_id,
      video.foreign_id, video.youtube_id, video.vimeo_id, video.hulu_id, video.crunchyroll_id, video.kaltura_id,
      video.mrss_id, video.discovery_url, video.custom_thumbnail_url, video.source_url, video.formats,
      video.live_event, video.on_air, iso(video.on_air_at) as on_air_at, iso(video.off_air_at) as off_air_at,
      video.subscription_required, video.pass_required, video.purchase_required,
      video.purchase_price::text as purchase_price, video.rental_required, video.rental_price::text as rental_price,
      video.rental_duration, video.registration_required, video.redemption_code_required,
      video.subscription_ads_enabled, video.marketplace_ids, video.preview_ids, video.custom_attributes,
      video.transcriptions_enabled, video.translations_enabled, video.playout_ad, video.playout_bumper,
      video.playout_slate, video.status, video.status_reason, iso(video.playable_at) as playable_at,
      iso(video.complete_at) as complete_at, video.transcoded, video.duration, video.precise_duration, video.rating,
      video.request_count, video.categories,
      shown_thumbnails(video.custom_thumbnail_url, video.custom_thumbnail_facts, video.thumbnails) as thumbnails,
      video.preview_url, video.images, video.renditions, video.data_sources, video.segments, video.video_zobjects,
      video.zobject_ids, video.related_playlist_ids, video.video_source_types, video.content_rule_profile_id,
      iso(video.deleted_at) as deleted_at
    ) as record
  );
end $$;

create or replace function consumer_record(consumer consumers) returns text
language plpgsql stable as $$
begin
  return (
    select row_to_json(record)::text from (select
      consumer._id, consumer.site_id, iso(consumer.created_at) as created_at, iso(consumer.updated_at) as updated_at,
      consumer.email, null as rss_token, null as remember_token, consumer.name, consumer.birthday, consumer.sex,
      consumer.terms, consumer.updates, consumer.parental_access_code, consumer.parental_access_rating,
      consumer.super_watcher, consumer.stripe_id, consumer.braintree_id, consumer.recurly_code, consumer.custom,
      iso(consumer.email_verified_at) as email_verified_at, consumer.sign_in_count,
      iso(consumer.current_sign_in_at) as current_sign_in_at, consumer.current_sign_in_ip,
      iso(consumer.last_sign_in_at) as last_sign_in_at, consumer.last_sign_in_ip, consumer.video_count,
      consumer.playlist_count, consumer.pass_count, consumer.transaction_count, consumer.payment_providers,
      null as has_trialed, null as days_trialed, null as linked_devices, null as subscription_count,
      null as subscription_ids, null as subscription_plans
    ) as record
  );
end $$;

create or replace function keep_consumer_record() returns trigger language plpgsql as $$
begin
  new.record := consumer_record(new);
  return new;
end $$;

-- It reads every column, so it must be the last BEFORE trigger that sets one.
create or replace trigger consumers_written before insert or update on consumers
  for each row execute function keep_consumer_record();

-- Writes the rows whose record is not what it should be. db/migrate.ts calls it after this file has changed.
create or replace function write_records_again() returns void language plpgsql as $$
begin
  update videos set record = record where record is distinct from video_record(videos);
  update consumers set record = record where record is distinct from consumer_record(consumers);
end $$;
