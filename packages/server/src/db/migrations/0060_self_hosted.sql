-- Files at other addresses that a video plays from. What its record says about them is kept by triggers.

create table self_hosted_sources (
  _id        text collate "C" not null,
  site_id    text collate "C" not null,
  video_id   text collate "C" not null,
  active     boolean not null default true,
  duration   integer check (duration >= 0),
  files      jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index self_hosted_sources_of_video on self_hosted_sources (site_id, video_id, created_at, _id);
create unique index self_hosted_sources_active on self_hosted_sources (site_id, video_id) where active;

create or replace view data_sources as
select _id, site_id, video_id, duration, created_at, updated_at from sources where replaced_at is null
union all
select _id, site_id, video_id, duration::double precision, created_at, updated_at from self_hosted_sources;

create or replace function data_sources_of(video videos) returns jsonb
language sql stable as $$
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
$$;

create function video_source_types_of(video videos) returns text[]
language sql stable as $$
  select array(
    select 'hosted' where video.media_source_id is not null
    union all
    select 'self_hosted' where exists (
      select from self_hosted_sources where site_id = video.site_id and video_id = video._id
    )
  )
$$;

create or replace function follow_sources() returns trigger language plpgsql as $$
begin
  if new.media_source_id is not null or new.data_sources <> '[]' then
    new.data_sources := data_sources_of(new);
    new.video_source_types := video_source_types_of(new);
  end if;
  return new;
end $$;

-- A video without a film is ready as soon as it plays from somewhere else. Whoever writes holds the video's row first.
create function follow_self_hosted() returns trigger language plpgsql as $$
declare
  changed self_hosted_sources := case when tg_op = 'DELETE' then old else new end;
  playing self_hosted_sources;
begin
  if tg_op = 'DELETE' then
    delete from ad_timings where site_id = old.site_id and video_id = old.video_id and data_source_id = old._id;
  end if;
  select * into playing from self_hosted_sources
  where site_id = changed.site_id and video_id = changed.video_id and active;
  update videos set
    updated_at = now(),
    data_sources = data_sources_of(videos),
    video_source_types = video_source_types_of(videos)
  where site_id = changed.site_id and _id = changed.video_id;
  update videos set
    status = case when playing._id is null then 'created' else 'ready' end,
    status_reason = null,
    playable_at = case when playing._id is not null then coalesce(playable_at, now()) end,
    complete_at = case when playing._id is not null then coalesce(complete_at, now()) end,
    duration = playing.duration,
    precise_duration = playing.duration
  where site_id = changed.site_id and _id = changed.video_id and media_source_id is null and deleted_at is null
    and status in ('created', 'ready', 'failed');
  return null;
end $$;

create trigger self_hosted_sources_followed after insert or update or delete on self_hosted_sources
  for each row execute function follow_self_hosted();
