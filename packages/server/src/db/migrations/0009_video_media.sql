-- What a video says about its film: where it is fetched from, which formats it has, and a preview that moves.

alter table videos
  add column source_url  text,
  add column formats     jsonb not null default '{}',
  add column preview_url text;

create or replace function video_record(video videos) returns text
language sql stable as $$
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
$$;

-- The records of videos that are there already get the new fields.
update videos set updated_at = updated_at;
