-- What the records of videos show of other tables.

-- Replaces the player URL in the URLs of our own pictures. Their paths are unmistakable, so no other URL is changed.
create or replace function readdressed(written text, player_url text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(
    written,
    'https?://[^"[:space:]]*(/(?:pictures/[0-9a-f]{24}/(?:poster-[0-9]{1,4}|preview)-[0-9a-f]{16}[.](?:jpg|webp)|images/[0-9a-f]{24}/[0-9a-f]{32}[.][a-z]+))',
    replace(player_url, '\', '\\') || '\1', 'g'
  )
$$;

-- What the record shows about the files that a video plays from. The playing one comes first.
create or replace function data_sources_of(video videos) returns jsonb
language plpgsql stable as $$
begin
  return (
    with elsewhere as (
      select _id, active, duration, created_at from self_hosted_sources
      where site_id = video.site_id and video_id = video._id
    ), shown as (
      select case when active then 0 else 3 end as place, created_at, _id, active, duration, 'ready' as status
      from elsewhere
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

-- The time at which the schedule next activates or deactivates a video. It reads one index entry.
create or replace function next_switch() returns timestamptz
language sql stable
return (select min(switches_at) from videos where switches_at is not null and deleted_at is null);

-- Whether a video is active once a switch is due, and when its next switch is. enable_at and disable_at take effect in the
-- order of their times; if they are equal, disable_at wins. schedule.ts of the contract has the same rule; test/same-rules.test.ts
-- compares them.
create or replace function active_after_switch(enable_at timestamptz, disable_at timestamptz) returns boolean
language sql stable
return coalesce(enable_at <= now() and (disable_at is null or disable_at > now() or disable_at < enable_at), false);

create or replace function switch_after(enable_at timestamptz, disable_at timestamptz) returns timestamptz
language sql stable
return least(case when enable_at > now() then enable_at end, case when disable_at > now() then disable_at end);

-- Activates or deactivates up to 2,000 videos that are due, and returns how many. Rows that other transactions have
-- locked are skipped.
create or replace function switch_due() returns integer language plpgsql as $$
declare
  switched integer;
begin
  update videos set
    active = active_after_switch(enable_at, disable_at),
    switches_at = switch_after(enable_at, disable_at),
    updated_at = now()
  where (site_id, _id) in (
    select site_id, _id from videos where switches_at <= now() and deleted_at is null
    order by switches_at limit 2000 for update skip locked
  );
  get diagnostics switched = row_count;
  return switched;
end $$;
