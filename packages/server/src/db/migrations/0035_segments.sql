-- Chapters of videos. The row of the video has them too, kept by a trigger, so that its record shows them.

create table segments (
  _id         text collate "C" not null,
  site_id     text collate "C" not null,
  video_id    text collate "C" not null,
  description text not null,
  start       integer not null check (start >= 0),
  "end"       integer check ("end" > start),
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index segments_of_video on segments (site_id, video_id, start, _id);

-- Whoever writes holds the video's row first: then each sees what the one before wrote.
create function show_segments() returns trigger language plpgsql as $$
declare
  segment segments := case when tg_op = 'DELETE' then old else new end;
begin
  update videos set
    updated_at = now(),
    segments = coalesce((
      select jsonb_agg(
        jsonb_build_object('_id', _id, 'description', description, 'start', start, 'end', "end") order by start, _id
      ) from segments where site_id = segment.site_id and video_id = segment.video_id
    ), '[]')
  where site_id = segment.site_id and _id = segment.video_id;
  return null;
end $$;

create trigger segments_shown after insert or update or delete on segments
  for each row execute function show_segments();
