-- The history: every resource that the API writes has one trigger, which describes each change, and so has every table whose
-- rows come back when a deletion is undone. note_change() in functions/history.sql explains the arguments.
-- test/events-schema.test.ts compares this list with the contract. Sessions and tokens stay ended: their deleted rows are
-- not kept, and neither is what jobs make again.

create or replace trigger videos_history after insert or update or delete on videos
  for each row execute function note_change(
    'video',
    '{record}',
    '{
      updated_at,request_count,rating,rating_count,rating_sum,renditions,data_sources,video_source_types,transcoded,
      status,status_reason,status_before_removal,playable_at,complete_at,duration,precise_duration,preview_url,
      switches_at,media_source_id,pending_source_id,poster_seconds,poster_image_id,custom_thumbnail_facts,created_by,
      related_playlist_ids
    }',
    'versions',
    '{playable playable_at set,complete complete_at set,failed status is failed}'
  );
create or replace trigger subtitles_history after insert or update or delete on subtitles
  for each row execute function note_change('subtitle', '{}', '{updated_at,vtt}', 'kept');
create or replace trigger audio_tracks_history after insert or update or delete on audio_tracks
  for each row execute function note_change('audio_track', '{facts,failures,file_id,source_id,track}', '{updated_at}', '');
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
  for each row execute function note_change('zobject_type', '{search}', '{updated_at,zobject_count}', 'kept');
create or replace trigger zobjects_history after insert or update or delete on zobjects
  for each row execute function note_change('zobject', '{search}', '{updated_at}', 'kept');
create or replace trigger self_hosted_sources_history after insert or update or delete on self_hosted_sources
  for each row execute function note_change('self_hosted_source', '{}', '{updated_at}', 'kept');
create or replace trigger video_imports_history after insert or update or delete on video_imports
  for each row execute function note_change(
    'import',
    '{search}',
    '{
      updated_at,status,status_reason,progress,bytes,total_bytes,attempts,finished_at,video_id,media_source_id,
      file_name,validator,etag,failures,held_by,held_until,started_at
    }',
    '',
    '{finished status is ready,failed status is failed}'
  );
create or replace trigger video_sources_history after insert or update or delete on video_sources
  for each row execute function note_change(
    'video_source',
    '{search}',
    '{
      updated_at,status,status_reason,refreshed_at,refresh_at,found_count,added_count,changed_count,skipped_count,
      video_count,etag,last_modified,failures,reading_since,revision
    }',
    'kept'
  );
create or replace trigger categories_history after insert or update or delete on categories
  for each row execute function note_change('category', '{search}', '{updated_at,renamed}', 'kept');
create or replace trigger playlists_history after insert or update or delete on playlists
  for each row execute function note_change('playlist', '{search,filled_by}', '{updated_at,custom_thumbnail_facts}', 'kept');
create or replace trigger feeds_history after insert or update or delete on feeds
  for each row execute function note_change('feed', '{}', '{updated_at}', 'kept');
create or replace trigger feed_keys_history after insert or update or delete on feed_keys
  for each row execute function note_change('feed_key', '{key,digest}', '{updated_at}', 'kept');
create or replace trigger program_guides_history after insert or update or delete on program_guides
  for each row execute function note_change(
    'program_guide',
    '{search}',
    '{updated_at,status,status_reason,program_guide_entry_count,refreshed_at,refresh_at}',
    'kept'
  );
create or replace trigger apps_history after insert or update or delete on apps
  for each row execute function note_change(
    'app',
    '{search,app_key,client_secret}',
    '{updated_at}',
    'kept',
    '{rotated app_key changed,rotated client_secret changed}'
  );
create or replace trigger channels_history after update on channels
  for each row execute function note_change('account', '{}', '{updated_at,storage_limit}', '');
create or replace trigger named_keys_history after insert or update or delete on named_keys
  for each row execute function note_change('key', '{search,digest}', '{updated_at,last_used_at}', 'kept');
create or replace trigger webhooks_history after insert or update or delete on webhooks
  for each row execute function note_change(
    'webhook',
    '{host,sealed_secret,previous_secret,previous_secret_until,failing_days,last_failed_on}',
    '{updated_at,failing_since,last_delivered_at}',
    'kept',
    '{rotated sealed_secret changed}'
  );
create or replace trigger formats_history after update on formats
  for each row execute function note_change('formats', '{}', '{updated_at,revision}', '');
create or replace trigger consumers_history after insert or update or delete on consumers
  for each row execute function note_change(
    'consumer',
    '{record,search,password_hash,password_token_digest,parental_access_code}',
    '{
      updated_at,sign_in_count,current_sign_in_at,current_sign_in_ip,last_sign_in_at,last_sign_in_ip,video_count,
      playlist_count,pass_count,transaction_count,payment_providers
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
  for each row execute function note_change('session', '{}', '{updated_at,refreshed_at,expires_at,ends_at}', '');
create or replace trigger uploads_history after insert or update or delete on uploads
  for each row execute function note_change(
    'upload',
    '{metadata}',
    '{updated_at,offset,progress,status,expires_at,finished_at,video_id,source_id,hidden,created_by}',
    '',
    '{finished finished_at set}'
  );
create or replace trigger upload_tokens_history after insert or update or delete on upload_tokens
  for each row execute function note_change('upload_token', '{digest}', '{updated_at,begun}', 'kept');
create or replace trigger plans_history after insert or update or delete on plans
  for each row execute function note_change('plan', '{search}', '{updated_at}', 'kept');
create or replace trigger pass_plans_history after insert or update or delete on pass_plans
  for each row execute function note_change('pass_plan', '{search}', '{updated_at}', 'kept');
create or replace trigger ad_tags_history after insert or update or delete on ad_tags
  for each row execute function note_change('ad_tag', '{search}', '{updated_at}', 'kept');
create or replace trigger subscriptions_history after insert or update or delete on subscriptions
  for each row execute function note_change('subscription', '{search}', '{updated_at}', 'kept');
create or replace trigger transactions_history after insert or update or delete on transactions
  for each row execute function note_change('transaction', '{search}', '{updated_at,provider_id}', 'kept');
create or replace trigger redemption_codes_history after insert or update or delete on redemption_codes
  for each row execute function note_change('redemption_code', '{search}', '{updated_at}', 'kept');
create or replace trigger app_credentials_history after delete on app_credentials
  for each row execute function note_change('', '{}', '{}', 'kept');
create or replace trigger consumer_tokens_history after delete on consumer_tokens
  for each row execute function note_change('', '{}', '{}', 'kept');
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

-- Linked devices. A device that nobody has linked yet is no record: its row waits for a viewer to enter the PIN.
create or replace function note_linked_device() returns trigger language plpgsql as $$
declare
  hidden constant text[] := tg_argv[0];
begin
  if tg_op = 'UPDATE' and old.consumer_id is not distinct from new.consumer_id then
    return null;
  end if;
  if tg_op <> 'INSERT' and old.consumer_id is not null and pg_trigger_depth() = 1 then
    perform add_change(old.site_id, 'linked_device.deleted', tg_table_name, old._id, to_jsonb(old) - hidden);
  end if;
  if tg_op <> 'DELETE' and new.consumer_id is not null then
    perform add_change(new.site_id, 'linked_device.created', tg_table_name, new._id, to_jsonb(new) - hidden);
  end if;
  return null;
end $$;

create or replace trigger linked_devices_history after insert or update of consumer_id or delete on linked_devices
  for each row execute function note_linked_device('{pin_nonce,pin_digest,device_code_digest}');

-- The keys of a channel. The first ones come with the channel.
create or replace function note_rotated_key() returns trigger language plpgsql as $$
begin
  perform add_change(
    new.site_id, 'key.rotated', tg_table_name, new._id, jsonb_build_object('_id', new._id, 'kind', new.kind)
  ) from api_keys where site_id = new.site_id and kind = new.kind and _id <> new._id limit 1;
  return null;
end $$;

create or replace trigger api_keys_history after insert on api_keys for each row execute function note_rotated_key();

-- The team of a channel.
create or replace function note_member() returns trigger language plpgsql as $$
declare
  member constant memberships := case when tg_op = 'DELETE' then old else new end;
  verb   constant text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end;
begin
  if tg_op = 'DELETE' and not exists (select from channels where _id = member.site_id)
    or tg_op = 'UPDATE' and old.role = new.role then
    return null;
  end if;
  perform add_change(
    member.site_id, 'member.' || verb, tg_table_name, member.publisher_id,
    jsonb_build_object('_id', member.publisher_id, 'role', member.role, 'email', (
      select email from publishers where _id = member.publisher_id
    )),
    case when tg_op = 'UPDATE' then jsonb_build_object('role', old.role) end
  );
  return null;
end $$;

create or replace trigger memberships_history after insert or update of role or delete on memberships
  for each row execute function note_member();

-- A publisher signs in to all their channels at once.
create or replace function note_publisher() returns trigger language plpgsql as $$
begin
  perform add_change(site_id, 'publisher.signed_in', tg_table_name, new.publisher_id, jsonb_build_object(
    '_id', new.publisher_id
  )) from memberships where publisher_id = new.publisher_id;
  return null;
end $$;

create or replace trigger publisher_sessions_history after insert on publisher_sessions
  for each row execute function note_publisher();

-- Rows that are deleted with a video for good, or with a channel, are not kept.
create or replace function keep_nothing() returns trigger language plpgsql as $$
begin
  perform set_config('zoetrope.keeps_deleted', 'no', true);
  return null;
end $$;

create or replace trigger channels_not_kept before delete on channels for each statement execute function keep_nothing();
create or replace trigger videos_not_kept before delete on videos for each statement execute function keep_nothing();

-- The history of a channel ends with it.
create or replace function forget_history() returns trigger language plpgsql as $$
begin
  delete from events where site_id = old._id;
  delete from idempotent_requests where site_id = old._id;
  return null;
end $$;

create or replace trigger channels_history_end after delete on channels for each row execute function forget_history();
