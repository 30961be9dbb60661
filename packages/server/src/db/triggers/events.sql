-- Events: every resource that the API writes has a trigger that describes each change. test/events-schema.test.ts
-- compares this list with the contract.

-- Arguments: the name of the record in the type of the event; columns that events never contain, because they are secret
-- or only an index; columns that change without anybody noticing, such as counts, and those that no record shows.
-- A deletion that follows from another one, through a foreign key or by end_entitlements(), has no event of its own.
create or replace function note_event() returns trigger language plpgsql as $$
declare
  name   constant text := tg_argv[0];
  hidden constant text[] := tg_argv[1];
  quiet  constant text[] := tg_argv[2];
  becomes jsonb;
  was     jsonb;
  verb    text := 'updated';
begin
  if tg_op = 'INSERT' then
    becomes := to_jsonb(new) - hidden;
    -- Set while a deletion is undone: what belonged to the record comes back without events, as it went.
    if coalesce(current_setting('zoetrope.restores', true), '') <> '' then
      if becomes ->> '_id' = current_setting('zoetrope.restores', true) then
        perform add_event(new.site_id, name || '.restored', tg_table_name, becomes ->> '_id', becomes);
      end if;
      return null;
    end if;
    verb := case when name in ('entitlement', 'playlist_entitlement') then 'granted' else 'created' end;
    perform add_event(new.site_id, name || '.' || verb, tg_table_name, becomes ->> '_id', becomes);
    return null;
  end if;
  if tg_op = 'DELETE' and (pg_trigger_depth() > 1 or current_setting('zoetrope.follows', true) = 'yes') then
    return null;
  end if;
  if tg_op = 'DELETE' then
    was := to_jsonb(old) - hidden;
    verb := case
      when name in ('entitlement', 'playlist_entitlement') then 'ended'
      when was ->> 'deleted_at' is not null then 'purged'
      else 'deleted'
    end;
    perform add_event(old.site_id, name || '.' || verb, tg_table_name, was ->> '_id', was);
    return null;
  end if;
  becomes := to_jsonb(new) - hidden;
  -- What has changed, with its old values. Hidden columns are not in `becomes`.
  select jsonb_object_agg(key, value) into was from jsonb_each(to_jsonb(old)) where value <> becomes -> key;
  if was is null or was - quiet = '{}' then
    return null;
  end if;
  if was ? 'deleted_at' then
    verb := case when becomes ->> 'deleted_at' is null then 'restored' else 'deleted' end;
  end if;
  perform add_event(new.site_id, name || '.' || verb, tg_table_name, becomes ->> '_id', becomes, was);
  return null;
end $$;

create or replace trigger videos_event after insert or update or delete on videos
  for each row execute function note_event('video', '{record}', '{
    updated_at,request_count,rating,rating_count,rating_sum,renditions,data_sources,video_source_types,transcoded,status,
    status_reason,status_before_removal,playable_at,complete_at,duration,precise_duration,preview_url,switches_at,
    media_source_id,pending_source_id,poster_seconds,poster_image_id,custom_thumbnail_facts,created_by,related_playlist_ids
  }');
create or replace trigger subtitles_event after insert or update or delete on subtitles
  for each row execute function note_event('subtitle', '{}', '{updated_at,vtt}');
create or replace trigger audio_tracks_event after insert or update or delete on audio_tracks
  for each row execute function note_event('audio_track', '{facts,failures,file_id,source_id,track}', '{updated_at}');
create or replace trigger subtitle_playlists_event after insert or update or delete on subtitle_playlists
  for each row execute function note_event('subtitle_playlist', '{}', '{updated_at}');
create or replace trigger segments_event after insert or update or delete on segments
  for each row execute function note_event('segment', '{}', '{updated_at}');
create or replace trigger ad_timings_event after insert or update or delete on ad_timings
  for each row execute function note_event('ad_timing', '{}', '{updated_at}');
create or replace trigger video_content_rules_event after insert or update or delete on video_content_rules
  for each row execute function note_event('video_content_rule', '{}', '{updated_at}');
create or replace trigger playlist_content_rules_event after insert or update or delete on playlist_content_rules
  for each row execute function note_event('playlist_content_rule', '{}', '{updated_at}');
create or replace trigger category_content_rules_event after insert or update or delete on category_content_rules
  for each row execute function note_event('category_content_rule', '{}', '{updated_at}');
create or replace trigger content_rule_profiles_event after insert or update or delete on content_rule_profiles
  for each row execute function note_event('content_rule_profile', '{search}', '{updated_at}');
create or replace trigger zobject_types_event after insert or update or delete on zobject_types
  for each row execute function note_event('zobject_type', '{search}', '{updated_at,zobject_count}');
create or replace trigger zobjects_event after insert or update or delete on zobjects
  for each row execute function note_event('zobject', '{search}', '{updated_at}');
create or replace trigger self_hosted_sources_event after insert or update or delete on self_hosted_sources
  for each row execute function note_event('self_hosted_source', '{}', '{updated_at}');
create or replace trigger video_imports_event after insert or update or delete on video_imports
  for each row execute function note_event('import', '{search}', '{
    updated_at,status,status_reason,progress,bytes,total_bytes,attempts,finished_at,video_id,media_source_id,file_name,
    validator,etag,failures,held_by,held_until,started_at
  }');
create or replace trigger video_sources_event after insert or update or delete on video_sources
  for each row execute function note_event('video_source', '{search}', '{
    updated_at,status,status_reason,refreshed_at,refresh_at,found_count,added_count,changed_count,skipped_count,video_count,
    etag,last_modified,failures,reading_since,revision
  }');
create or replace trigger categories_event after insert or update or delete on categories
  for each row execute function note_event('category', '{search}', '{updated_at,renamed}');
create or replace trigger playlists_event after insert or update or delete on playlists
  for each row execute function note_event('playlist', '{search,filled_by}', '{updated_at,custom_thumbnail_facts}');
create or replace trigger feeds_event after insert or update or delete on feeds
  for each row execute function note_event('feed', '{}', '{updated_at}');
create or replace trigger feed_keys_event after insert or update or delete on feed_keys
  for each row execute function note_event('feed_key', '{key,digest}', '{updated_at}');
create or replace trigger program_guides_event after insert or update or delete on program_guides
  for each row execute function note_event('program_guide', '{search}', '{
    updated_at,status,status_reason,program_guide_entry_count,refreshed_at,refresh_at
  }');
create or replace trigger apps_event after insert or update or delete on apps
  for each row execute function note_event('app', '{search,app_key,client_secret}', '{updated_at}');
create or replace trigger channels_event after update on channels
  for each row execute function note_event('account', '{}', '{updated_at,storage_limit}');
create or replace trigger named_keys_event after insert or update or delete on named_keys
  for each row execute function note_event('key', '{search,digest}', '{updated_at,last_used_at}');
create or replace trigger webhooks_event after insert or update or delete on webhooks
  for each row execute function note_event('webhook', '{
    host,sealed_secret,previous_secret,previous_secret_until,failing_days,last_failed_on
  }', '{updated_at,failing_since,last_delivered_at}');
create or replace trigger formats_event after update on formats
  for each row execute function note_event('formats', '{}', '{updated_at,revision}');
create or replace trigger consumers_event after insert or update or delete on consumers
  for each row execute function note_event(
    'consumer', '{record,search,password_hash,password_token_digest,parental_access_code}', '{
    updated_at,sign_in_count,current_sign_in_at,current_sign_in_ip,last_sign_in_at,last_sign_in_ip,video_count,
    playlist_count,pass_count,transaction_count,payment_providers
  }');
create or replace trigger video_favorites_event after insert or update or delete on video_favorites
  for each row execute function note_event('video_favorite', '{}', '{updated_at}');
create or replace trigger video_entitlements_event after insert or update or delete on video_entitlements
  for each row execute function note_event('entitlement', '{}', '{updated_at}');
create or replace trigger playlist_entitlements_event after insert or update or delete on playlist_entitlements
  for each row execute function note_event('playlist_entitlement', '{}', '{updated_at}');
create or replace trigger video_ratings_event after insert or update or delete on video_ratings
  for each row execute function note_event('video_rating', '{}', '{updated_at}');
create or replace trigger sessions_event after insert or update or delete on sessions
  for each row execute function note_event('session', '{}', '{updated_at,refreshed_at,expires_at,ends_at}');
create or replace trigger uploads_event after insert or update or delete on uploads
  for each row execute function note_event('upload', '{metadata}', '{
    updated_at,offset,progress,status,expires_at,finished_at,video_id,source_id,hidden,created_by
  }');
create or replace trigger upload_tokens_event after insert or update or delete on upload_tokens
  for each row execute function note_event('upload_token', '{digest}', '{updated_at,begun}');
create or replace trigger plans_event after insert or update or delete on plans
  for each row execute function note_event('plan', '{search}', '{updated_at}');
create or replace trigger pass_plans_event after insert or update or delete on pass_plans
  for each row execute function note_event('pass_plan', '{search}', '{updated_at}');
create or replace trigger ad_tags_event after insert or update or delete on ad_tags
  for each row execute function note_event('ad_tag', '{search}', '{updated_at}');
create or replace trigger subscriptions_event after insert or update or delete on subscriptions
  for each row execute function note_event('subscription', '{search}', '{updated_at}');
create or replace trigger transactions_event after insert or update or delete on transactions
  for each row execute function note_event('transaction', '{search}', '{updated_at,provider_id}');
create or replace trigger redemption_codes_event after insert or update or delete on redemption_codes
  for each row execute function note_event('redemption_code', '{search}', '{updated_at}');

-- Milestones: moments in the life of a record that are events of their own. Arguments: the type of the event; columns
-- that events never contain.
create or replace function note_milestone() returns trigger language plpgsql as $$
declare
  becomes constant jsonb := to_jsonb(new) - tg_argv[1]::text[];
begin
  perform add_event(new.site_id, tg_argv[0], tg_table_name, becomes ->> '_id', becomes);
  return null;
end $$;

create or replace trigger videos_event_playable after update of playable_at on videos
  for each row when (old.playable_at is null and new.playable_at is not null)
  execute function note_milestone('video.playable', '{record}');
create or replace trigger videos_event_complete after update of complete_at on videos
  for each row when (old.complete_at is null and new.complete_at is not null)
  execute function note_milestone('video.complete', '{record}');
create or replace trigger videos_event_failed after update of status on videos
  for each row when (old.status <> 'failed' and new.status = 'failed')
  execute function note_milestone('video.failed', '{record}');
create or replace trigger uploads_event_finished after update of finished_at on uploads
  for each row when (old.finished_at is null and new.finished_at is not null)
  execute function note_milestone('upload.finished', '{metadata}');
create or replace trigger video_imports_event_finished after update of status on video_imports
  for each row when (old.status <> 'ready' and new.status = 'ready')
  execute function note_milestone('import.finished', '{search}');
create or replace trigger video_imports_event_failed after update of status on video_imports
  for each row when (old.status <> 'failed' and new.status = 'failed')
  execute function note_milestone('import.failed', '{search}');
create or replace trigger apps_event_rotated after update of app_key, client_secret on apps
  for each row when (old.app_key <> new.app_key or old.client_secret <> new.client_secret)
  execute function note_milestone('app.rotated', '{search,app_key,client_secret}');
create or replace trigger webhooks_event_rotated after update of sealed_secret on webhooks
  for each row when (old.sealed_secret <> new.sealed_secret)
  execute function note_milestone('webhook.rotated', '{
    host,sealed_secret,previous_secret,previous_secret_until,failing_days,last_failed_on
  }');

-- Linked devices. A device that nobody has linked yet is no record: its row waits for a viewer to enter the PIN.
create or replace function note_linked_device() returns trigger language plpgsql as $$
declare
  hidden constant text[] := tg_argv[0];
begin
  if tg_op <> 'INSERT' and old.consumer_id is not null and pg_trigger_depth() = 1 then
    perform add_event(old.site_id, 'linked_device.deleted', tg_table_name, old._id, to_jsonb(old) - hidden);
  end if;
  if tg_op <> 'DELETE' and new.consumer_id is not null then
    perform add_event(new.site_id, 'linked_device.created', tg_table_name, new._id, to_jsonb(new) - hidden);
  end if;
  return null;
end $$;

create or replace trigger linked_devices_event after insert or delete on linked_devices
  for each row execute function note_linked_device('{pin_nonce,pin_digest,device_code_digest}');
create or replace trigger linked_devices_event_linked after update of consumer_id on linked_devices
  for each row when (old.consumer_id is distinct from new.consumer_id)
  execute function note_linked_device('{pin_nonce,pin_digest,device_code_digest}');

-- The keys of a channel. The first ones come with the channel.
create or replace function note_rotated_key() returns trigger language plpgsql as $$
begin
  perform add_event(
    new.site_id, 'key.rotated', tg_table_name, new._id, jsonb_build_object('_id', new._id, 'kind', new.kind)
  ) from api_keys where site_id = new.site_id and kind = new.kind and _id <> new._id limit 1;
  return null;
end $$;

create or replace trigger api_keys_event after insert on api_keys for each row execute function note_rotated_key();

-- The team of a channel.
create or replace function note_member() returns trigger language plpgsql as $$
declare
  member constant memberships := case when tg_op = 'DELETE' then old else new end;
  verb   constant text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end;
begin
  if tg_op = 'DELETE' and not exists (select from channels where _id = member.site_id) then
    return null;
  end if;
  perform add_event(
    member.site_id, 'member.' || verb, tg_table_name, member.publisher_id,
    jsonb_build_object('_id', member.publisher_id, 'role', member.role, 'email', (
      select email from publishers where _id = member.publisher_id
    )),
    case when tg_op = 'UPDATE' then jsonb_build_object('role', old.role) end
  );
  return null;
end $$;

create or replace trigger memberships_event after insert or delete on memberships
  for each row execute function note_member();
create or replace trigger memberships_event_role after update of role on memberships
  for each row when (old.role <> new.role) execute function note_member();

-- A publisher signs in to all their channels at once.
create or replace function note_publisher() returns trigger language plpgsql as $$
begin
  perform add_event(site_id, 'publisher.signed_in', tg_table_name, new.publisher_id, jsonb_build_object(
    '_id', new.publisher_id
  )) from memberships where publisher_id = new.publisher_id;
  return null;
end $$;

create or replace trigger publisher_sessions_event after insert on publisher_sessions
  for each row execute function note_publisher();

create or replace function forget_events() returns trigger language plpgsql as $$
begin
  delete from events where site_id = old._id;
  delete from idempotent_requests where site_id = old._id;
  delete from deleted_rows where site_id = old._id;
  return null;
end $$;

create or replace trigger channels_event_end after delete on channels for each row execute function forget_events();
