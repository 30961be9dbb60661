-- Every index costs each write a few microseconds, even if the row is not in it. docs/decisions/0050 lists them all.

-- Filters by lists: one GIN index serves each of its columns as well as an index of its own. Searches read all pending
-- entries, so the list of these is kept short. Keywords keep their own index: most videos have some, and would have an
-- entry here for each empty list.
drop index videos_by_category, videos_by_zobject, videos_by_playlist, videos_by_preview;
create index videos_by_lists on videos using gin (
  site_id, categories jsonb_path_ops, zobject_ids, related_playlist_ids, preview_ids
) with (gin_pending_list_limit = 512)
  where categories <> '[]' or zobject_ids <> '{}' or related_playlist_ids <> '{}' or preview_ids <> '{}';

-- The dashboard's home page lists failed and waiting videos of a channel; jobs look for stalled ones of all channels.
drop index videos_failed, videos_under_way;
create index videos_by_status on videos (status, site_id, updated_at)
  where status in ('uploading', 'processing', 'failed') and deleted_at is null;
