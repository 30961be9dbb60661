-- Deleted rows are kept for as long as events are, so that a deletion can be undone (features/events/bring-back.ts):
-- those of resources, and those that are deleted with them. Not kept are sessions and tokens, which stay ended, and what
-- jobs make again.

create or replace function keep_deleted_rows() returns trigger language plpgsql as $$
begin
  -- Videos that are deleted for good, and whole channels.
  if current_setting('zoetrope.keeps_deleted', true) is distinct from 'no' then
    insert into deleted_rows (site_id, xact, step, resource, state)
    select site_id, pg_current_xact_id(), current_step(), tg_table_name, to_jsonb(gone) from gone;
  end if;
  return null;
end $$;

create or replace function keep_nothing() returns trigger language plpgsql as $$
begin
  perform set_config('zoetrope.keeps_deleted', 'no', true);
  return null;
end $$;

create or replace trigger channels_kept before delete on channels for each statement execute function keep_nothing();
create or replace trigger videos_kept before delete on videos for each statement execute function keep_nothing();

create or replace trigger content_rule_profiles_kept after delete on content_rule_profiles
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger categories_kept after delete on categories
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger category_content_rules_kept after delete on category_content_rules
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger playlists_kept after delete on playlists
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger playlist_content_rules_kept after delete on playlist_content_rules
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger plans_kept after delete on plans
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger pass_plans_kept after delete on pass_plans
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger zobject_types_kept after delete on zobject_types
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger zobjects_kept after delete on zobjects
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger apps_kept after delete on apps
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger app_credentials_kept after delete on app_credentials
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger named_keys_kept after delete on named_keys
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger webhooks_kept after delete on webhooks
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger consumers_kept after delete on consumers
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger consumer_tokens_kept after delete on consumer_tokens
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger transactions_kept after delete on transactions
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger subscriptions_kept after delete on subscriptions
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger redemption_codes_kept after delete on redemption_codes
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger video_entitlements_kept after delete on video_entitlements
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger playlist_entitlements_kept after delete on playlist_entitlements
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger video_favorites_kept after delete on video_favorites
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger video_ratings_kept after delete on video_ratings
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger playlist_videos_kept after delete on playlist_videos
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger zobject_videos_kept after delete on zobject_videos
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger zobject_playlists_kept after delete on zobject_playlists
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger feeds_kept after delete on feeds
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger feed_keys_kept after delete on feed_keys
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger program_guides_kept after delete on program_guides
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger video_sources_kept after delete on video_sources
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger video_source_items_kept after delete on video_source_items
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger ad_tags_kept after delete on ad_tags
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger ad_timings_kept after delete on ad_timings
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger segments_kept after delete on segments
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger subtitles_kept after delete on subtitles
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger subtitle_playlists_kept after delete on subtitle_playlists
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger video_content_rules_kept after delete on video_content_rules
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger self_hosted_sources_kept after delete on self_hosted_sources
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger image_files_kept after delete on image_files
  referencing old table as gone for each statement execute function keep_deleted_rows();
create or replace trigger upload_tokens_kept after delete on upload_tokens
  referencing old table as gone for each statement execute function keep_deleted_rows();
