-- Films of feeds that are let go once, and films of playlists that are given.

-- What leaving its feed means for a video is done once: whoever makes the video active again afterwards has the last word.

alter table video_source_items add column is_let_go boolean not null default false;

update video_source_items as item set is_let_go = true
where not is_listed and exists (
  select from video_sources as source
  where source.site_id = item.site_id and source._id = item.video_source_id and source.auto_deactivate
);

-- The films of a playlist and of all below it that can be watched: said once, so that a list of them can be paged.

create function videos_within(of_site text, of_playlist text) returns setof videos language sql stable as $$
  select * from videos
  where site_id = of_site and related_playlist_ids && array[of_playlist] and related_playlist_ids <> '{}'
    and active and deleted_at is null
$$;

create or replace view own_video_entitlements as
  select _id, site_id, created_at, updated_at, consumer_id, video_id, transaction_id, transaction_type, expires_at
  from video_entitlements
  union all
  select left(md5(entitlement._id || video._id), 24), entitlement.site_id, entitlement.created_at, entitlement.updated_at,
    consumer_id, video._id, transaction_id, transaction_type, expires_at
  from playlist_entitlements as entitlement cross join lateral videos_within(site_id, playlist_id) as video;
