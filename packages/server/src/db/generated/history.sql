-- The history of each table: note_change() in functions/history.sql explains the arguments.
-- Written by `npm run generate -- sql` from the contract. Do not edit it.

create or replace trigger videos_history after insert or update or delete on videos
  for each row execute function note_change(
    'video',
    '{record}',
    '{
      complete_at, created_by, custom_thumbnail_facts, data_sources, duration, media_source_id, pending_source_id,
      playable_at, poster_image_id, poster_seconds, precise_duration, preview_url, rating, rating_count, rating_sum,
      related_playlist_ids, renditions, request_count, status, status_before_removal, status_reason, switches_at,
      transcoded, updated_at, video_source_types
    }',
    'versions',
    '{playable playable_at set, complete complete_at set, failed status is failed}',
    '{complete_at, playable_at, status}'
  );
create or replace trigger subtitles_history after insert or update or delete on subtitles
  for each row execute function note_change('subtitle', '{}', '{updated_at, vtt}', 'kept');
create or replace trigger audio_tracks_history after insert or update or delete on audio_tracks
  for each row execute function note_change(
    'audio_track',
    '{facts, failures, file_id, source_id, track}',
    '{updated_at}',
    ''
  );
create or replace trigger subtitle_playlists_history after insert or update or delete on subtitle_playlists
  for each row execute function note_change('subtitle_playlist', '{}', '{updated_at}', 'kept');
create or replace trigger segments_history after insert or update or delete on segments
  for each row execute function note_change('segment', '{}', '{updated_at}', 'kept');
create or replace trigger ad_timings_history after insert or update or delete on ad_timings
  for each row execute function note_change('ad_timing', '{}', '{updated_at}', 'kept');
create or replace trigger video_content_rules_history after insert or update or delete on video_content_rules
  for each row execute function note_change('video_content_rule', '{}', '{updated_at}', 'kept');
create or replace trigger playlist_content_rules_history after insert or update or delete on playlist_content_rules
  for each row execute function note_change('playlist_content_rule', '{}', '{updated_at}', 'kept');
create or replace trigger category_content_rules_history after insert or update or delete on category_content_rules
  for each row execute function note_change('category_content_rule', '{}', '{updated_at}', 'kept');
create or replace trigger content_rule_profiles_history after insert or update or delete on content_rule_profiles
  for each row execute function note_change('content_rule_profile', '{search}', '{updated_at}', 'kept');
create or replace trigger zobject_types_history after insert or update or delete on zobject_types
  for each row execute function note_change('zobject_type', '{search}', '{updated_at, zobject_count}', 'kept');
create or replace trigger zobjects_history after insert or update or delete on zobjects
  for each row execute function note_change('zobject', '{search}', '{updated_at}', 'kept');
create or replace trigger self_hosted_sources_history after insert or update or delete on self_hosted_sources
  for each row execute function note_change('self_hosted_source', '{}', '{updated_at}', 'kept');
create or replace trigger video_imports_history after insert or update or delete on video_imports
  for each row execute function note_change(
    'import',
    '{search}',
    '{
      attempts, bytes, etag, failures, file_name, finished_at, held_by, held_until, media_source_id, progress,
      started_at, status, status_reason, total_bytes, updated_at, validator, video_id
    }',
    '',
    '{finished status is ready, failed status is failed}',
    '{status}'
  );
create or replace trigger video_sources_history after insert or update or delete on video_sources
  for each row execute function note_change(
    'video_source',
    '{search}',
    '{
      added_count, changed_count, etag, failures, found_count, last_modified, reading_since, refresh_at, refreshed_at,
      revision, skipped_count, status, status_reason, updated_at, video_count
    }',
    'kept'
  );
create or replace trigger categories_history after insert or update or delete on categories
  for each row execute function note_change('category', '{search}', '{renamed, updated_at}', 'kept');
create or replace trigger playlists_history after insert or update or delete on playlists
  for each row execute function note_change(
    'playlist',
    '{filled_by, search}',
    '{custom_thumbnail_facts, updated_at}',
    'kept'
  );
create or replace trigger feeds_history after insert or update or delete on feeds
  for each row execute function note_change('feed', '{}', '{updated_at}', 'kept');
create or replace trigger feed_keys_history after insert or update or delete on feed_keys
  for each row execute function note_change('feed_key', '{digest, key}', '{updated_at}', '');
create or replace trigger program_guides_history after insert or update or delete on program_guides
  for each row execute function note_change(
    'program_guide',
    '{search}',
    '{program_guide_entry_count, refresh_at, refreshed_at, status, status_reason, updated_at}',
    'kept'
  );
create or replace trigger apps_history after insert or update or delete on apps
  for each row execute function note_change(
    'app',
    '{app_key, client_secret, search}',
    '{updated_at}',
    '',
    '{rotated app_key changed, rotated client_secret changed}',
    '{app_key, client_secret}'
  );
create or replace trigger channels_history after update on channels
  for each row execute function note_change('account', '{}', '{storage_limit, updated_at}', '');
create or replace trigger named_keys_history after insert or update or delete on named_keys
  for each row execute function note_change('key', '{digest, search}', '{last_used_at, updated_at}', '');
create or replace trigger signing_keys_history after insert or update or delete on signing_keys
  for each row execute function note_change('signing_key', '{}', '{updated_at}', '');
create or replace trigger webhooks_history after insert or update or delete on webhooks
  for each row execute function note_change(
    'webhook',
    '{failing_days, host, last_failed_on, previous_secret, previous_secret_until, sealed_secret}',
    '{failing_since, last_delivered_at, updated_at}',
    'kept',
    '{rotated sealed_secret changed}',
    '{sealed_secret}'
  );
create or replace trigger formats_history after update on formats
  for each row execute function note_change('formats', '{}', '{revision, updated_at}', '');
create or replace trigger consumers_history after insert or update or delete on consumers
  for each row execute function note_change(
    'consumer',
    '{parental_access_code, password_hash, password_token_digest, record, search}',
    '{
      current_sign_in_at, current_sign_in_ip, last_sign_in_at, last_sign_in_ip, pass_count, payment_providers,
      playlist_count, sign_in_count, transaction_count, updated_at, video_count
    }',
    'kept'
  );
create or replace trigger video_favorites_history after insert or update or delete on video_favorites
  for each row execute function note_change('video_favorite', '{}', '{updated_at}', 'kept');
create or replace trigger video_entitlements_history after insert or update or delete on video_entitlements
  for each row execute function note_change('entitlement', '{}', '{updated_at}', 'kept');
create or replace trigger playlist_entitlements_history after insert or update or delete on playlist_entitlements
  for each row execute function note_change('playlist_entitlement', '{}', '{updated_at}', 'kept');
create or replace trigger video_ratings_history after insert or update or delete on video_ratings
  for each row execute function note_change('video_rating', '{}', '{updated_at}', 'kept');
create or replace trigger sessions_history after insert or update or delete on sessions
  for each row execute function note_change('session', '{}', '{ends_at, expires_at, refreshed_at, updated_at}', '');
create or replace trigger uploads_history after insert or update or delete on uploads
  for each row execute function note_change(
    'upload',
    '{metadata}',
    '{
      created_by, expires_at, finished_at, hidden, offset, progress, source_id, status, updated_at, video_id
    }',
    '',
    '{finished finished_at set}',
    '{finished_at}'
  );
create or replace trigger upload_tokens_history after insert or update or delete on upload_tokens
  for each row execute function note_change('upload_token', '{digest}', '{begun, made_by, updated_at}', '');
create or replace trigger plans_history after insert or update or delete on plans
  for each row execute function note_change('plan', '{search}', '{updated_at}', 'kept');
create or replace trigger pass_plans_history after insert or update or delete on pass_plans
  for each row execute function note_change('pass_plan', '{search}', '{updated_at}', 'kept');
create or replace trigger ad_tags_history after insert or update or delete on ad_tags
  for each row execute function note_change('ad_tag', '{search}', '{updated_at}', 'kept');
create or replace trigger subscriptions_history after insert or update or delete on subscriptions
  for each row execute function note_change('subscription', '{search}', '{updated_at}', 'kept');
create or replace trigger transactions_history after insert or update or delete on transactions
  for each row execute function note_change('transaction', '{search}', '{provider_id, updated_at}', 'kept');
create or replace trigger redemption_codes_history after insert or update or delete on redemption_codes
  for each row execute function note_change('redemption_code', '{search}', '{updated_at}', 'kept');
create or replace trigger playlist_videos_history after delete on playlist_videos
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger zobject_videos_history after delete on zobject_videos
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger zobject_playlists_history after delete on zobject_playlists
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger video_source_items_history after delete on video_source_items
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger image_files_history after delete on image_files
  for each row execute function note_change('', '{}', '{}', 'kept');
