-- Functions that take or return a row have their bodies as text. PostgreSQL 15.20 refuses to add a column with a default, or a
-- generated one, to a table whose row type is used in a standard body (`return …`, `begin atomic`). Earlier migrations were
-- changed too, because they could not be applied there; this one is for databases that had applied them.
-- What PostgreSQL can inline stays in SQL. The rest is PL/pgSQL, which keeps its plans: before PostgreSQL 18, a function in SQL
-- is planned anew by every statement that calls it.

create or replace function video_record(video videos) returns text
language plpgsql stable as $$
begin
  return (
    select row_to_json(record)::text from (select
      video._id, video.site_id, iso(video.created_at) as created_at, iso(video.updated_at) as updated_at,
      video.title, video.friendly_title, video.internal_title, video.description, video.short_description,
      video.keywords, video.active, iso(video.enable_at) as enable_at, iso(video.disable_at) as disable_at,
      iso(video.published_at) as published_at, video.featured, video.mature_content,
      video.parental_guidelines_rating, video.country, video.language, video.genre, video.episode, video.season,
      video.series_id, video.source_id, video.foreign_id, video.youtube_id, video.vimeo_id, video.hulu_id,
      video.crunchyroll_id, video.kaltura_id, video.mrss_id, video.discovery_url, video.custom_thumbnail_url,
      video.source_url, video.formats,
      video.live_event, video.on_air, iso(video.on_air_at) as on_air_at, iso(video.off_air_at) as off_air_at,
      video.subscription_required, video.pass_required, video.purchase_required,
      video.purchase_price::text as purchase_price, video.rental_required,
      video.rental_price::text as rental_price, video.rental_duration, video.registration_required,
      video.redemption_code_required, video.subscription_ads_enabled, video.marketplace_ids, video.preview_ids,
      video.custom_attributes, video.transcriptions_enabled, video.translations_enabled, video.playout_ad,
      video.playout_bumper, video.playout_slate, video.status, video.status_reason,
      iso(video.playable_at) as playable_at, iso(video.complete_at) as complete_at, video.transcoded,
      video.duration, video.precise_duration, video.rating, video.request_count, video.categories,
      video.thumbnails, video.preview_url, video.images, video.renditions, video.data_sources, video.segments, video.video_zobjects,
      video.zobject_ids, video.related_playlist_ids, video.video_source_types, video.content_rule_profile_id,
      iso(video.deleted_at) as deleted_at
    ) as record
  );
end $$;

create or replace function hopeless_window(kept media_windows) returns boolean
language sql immutable as $$
  select kept.failures >= 3 or kept.mishaps >= 12
$$;

create or replace function free_window(kept media_windows) returns boolean
language sql stable as $$
  select kept.made_at is null and coalesce(kept.lease_until <= now(), true)
    and coalesce(kept.retry_at <= now(), true) and not hopeless_window(kept)
$$;

create or replace function data_sources_of(video videos) returns jsonb
language plpgsql stable as $$
begin
  return (
    with elsewhere as (
      select _id, active, duration, created_at from self_hosted_sources
      where site_id = video.site_id and video_id = video._id
    ), shown as (
      select case when active then 0 else 3 end as place, created_at, _id, active, duration, 'ready' as status from elsewhere
      union all
      select case when _id = video.media_source_id then 1 else 2 end, created_at, _id,
        _id = video.media_source_id and status = 'ready' and not exists (select from elsewhere where active),
        round(duration)::integer, status
      from sources where site_id = video.site_id and video_id = video._id
        and _id in (video.media_source_id, video.pending_source_id)
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      '_id', _id, 'active', active, 'duration', duration, 'status', status,
      'thumbnails', case when active then video.thumbnails else '[]' end
    ) order by place, created_at, _id), '[]')
    from shown
  );
end $$;

create or replace function may_take_window(kept media_windows, yields boolean) returns boolean
language sql stable as $$
  select free_window(kept) or (kept.holder is not null and kept.yields and not yields)
$$;

create or replace function as_applied(distance integer, rule video_content_rules) returns applied_rule
language sql immutable parallel safe as $$
  select row(
    distance, rule._id, rule.policy, rule.priority, rule.stackable,
    case when rule.geographies = '[]' then 'global' else 'country' end, countries_in(rule.geographies),
    rule.device_ids, rule.device_category_ids, rule.domains, rule.starts_at, rule.ends_at
  )::applied_rule
$$;

create or replace function place_unmet_by(rule applied_rule, place jsonb) returns text
language plpgsql immutable parallel safe as $$
begin
  return case
    when rule.match_type = 'ip_address' then
      case when is_among_addresses(nullif(place ->> 'address', ''), rule.places) then null else 'wrong_place' end
    when place -> rule.match_type is null then
      case rule.match_type when 'country' then 'country_unknown' else 'place_unknown' end
    when exists (
      select from unnest(rule.places) as named
      join jsonb_array_elements_text(case jsonb_typeof(place -> rule.match_type)
        when 'array' then place -> rule.match_type
        else jsonb_build_array(place -> rule.match_type)
      end) as known on lower(named) = lower(known)
    ) then null
    else case rule.match_type when 'country' then 'wrong_country' else 'wrong_place' end
  end;
end $$;

create or replace function denial_by(rule applied_rule) returns text
language sql immutable parallel safe as $$
  select case
    when rule.match_type = 'country' then 'wrong_country'
    when rule.match_type <> 'global' then 'wrong_place'
    when rule.device_ids <> '{}' or rule.device_category_ids <> '{}' then 'wrong_device'
    when rule.domains <> '{}' then 'wrong_site'
    when rule.starts_at is not null or rule.ends_at is not null then 'wrong_time'
    else 'not_shown'
  end
$$;

create or replace function as_applied(distance integer, rule playlist_content_rules) returns applied_rule
language sql immutable parallel safe as $$
  select row(
    distance, rule._id, rule.policy, rule.priority, rule.stackable,
    case when rule.geographies = '[]' then 'global' else 'country' end, countries_in(rule.geographies),
    rule.device_ids, rule.device_category_ids, rule.domains, rule.starts_at, rule.ends_at
  )::applied_rule
$$;

create or replace function as_applied(distance integer, rule category_content_rules) returns applied_rule
language sql immutable parallel safe as $$
  select row(
    distance, rule._id, rule.policy, rule.priority, rule.stackable,
    case when rule.geographies = '[]' then 'global' else 'country' end, countries_in(rule.geographies),
    rule.device_ids, rule.device_category_ids, rule.domains, rule.starts_at, rule.ends_at
  )::applied_rule
$$;

create or replace function video_source_types_of(video videos) returns text[]
language plpgsql stable as $$
begin
  return array(
    select 'hosted' where video.media_source_id is not null
    union all
    select 'self_hosted' where exists (
      select from self_hosted_sources where site_id = video.site_id and video_id = video._id
    )
  );
end $$;

create or replace function consumer_record(consumer consumers) returns text
language plpgsql stable as $$
begin
  return (
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
  );
end $$;

create or replace function content_verdict(video videos, viewer jsonb) returns text
language sql stable as $$
  select verdict_around(
    video.site_id, video._id, video.content_rule_profile_id, video.related_playlist_ids, category_ids_in(video.categories),
    viewer
  )
$$;

create or replace function playlist_verdict(playlist playlists, viewer jsonb) returns text
language sql stable as $$
  select verdict_around(playlist.site_id, null, null, playlist_line(playlist.site_id, playlist._id), '{}', viewer)
$$;
