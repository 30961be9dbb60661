-- The thumbnails of a record are what viewers see: the picture that the publisher gave, else the frames of the film.

alter table videos add column custom_thumbnail_facts jsonb;
alter table playlists add column custom_thumbnail_facts jsonb;

-- What is known of a picture counts only as long as the record shows that very picture.
create function shown_thumbnails(custom_url text, facts jsonb, frames jsonb) returns jsonb
language sql immutable parallel safe as $$
  select case when custom_url is null then frames else jsonb_build_array(jsonb_build_object(
    'url', custom_url,
    'width', case when facts ->> 'url' = custom_url then facts -> 'width' end,
    'height', case when facts ->> 'url' = custom_url then facts -> 'height' end,
    'aspect_ratio', case when facts ->> 'url' = custom_url
      then round((facts ->> 'width')::numeric / (facts ->> 'height')::numeric, 2) end,
    'name', 'custom'
  )) end
$$;

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
      shown_thumbnails(video.custom_thumbnail_url, video.custom_thumbnail_facts, video.thumbnails) as thumbnails,
      video.preview_url, video.images, video.renditions, video.data_sources, video.segments, video.video_zobjects,
      video.zobject_ids, video.related_playlist_ids, video.video_source_types, video.content_rule_profile_id,
      iso(video.deleted_at) as deleted_at
    ) as record
  );
end $$;

update videos set record = record where custom_thumbnail_url is not null;

create function keep_playlist_thumbnails() returns trigger language plpgsql as $$
begin
  new.thumbnails := shown_thumbnails(new.custom_thumbnail_url, new.custom_thumbnail_facts, '[]');
  return new;
end $$;

create trigger playlists_thumbnails before insert or update of custom_thumbnail_url, custom_thumbnail_facts on playlists
  for each row execute function keep_playlist_thumbnails();

update playlists set custom_thumbnail_url = custom_thumbnail_url where custom_thumbnail_url is not null;
