-- What formats cost a channel. What is made of each track of a source is summed up as its windows come and go, so that nobody
-- has to count millions of windows; and the time that encoders took is kept when a window is finished, by whoever made it.

create table made_tracks (
  site_id   text collate "C" not null,
  source_id text collate "C" not null,
  track     text collate "C" not null,
  windows   integer not null,
  bytes     bigint not null,
  primary key (site_id, source_id, track),
  foreign key (site_id, source_id) references sources on delete cascade
);

-- Seconds of encoding, and the seconds of film that were made in them. They stay when the files are gone: the work was done.
create table encoding_times (
  site_id      text collate "C" not null references channels on delete cascade,
  track        text collate "C" not null,
  way          text not null check (way in ('audio', 'copy', 'encode', 'join')),
  seconds      double precision not null,
  film_seconds double precision not null,
  primary key (site_id, track, way)
);

-- Read for every film of a channel, and much smaller than the plan.
alter table sources
  add column window_count integer generated always as (jsonb_array_length(plan -> 'windows')) stored,
  add column rungs        jsonb generated always as (plan -> 'rungs') stored;

create function add_made_window() returns trigger language plpgsql as $$
begin
  insert into made_tracks (site_id, source_id, track, windows, bytes)
  select site_id, new.source_id, new.track, 1, coalesce(new.bytes, 0) from sources where _id = new.source_id
  on conflict (site_id, source_id, track) do update set
    windows = made_tracks.windows + excluded.windows, bytes = made_tracks.bytes + excluded.bytes;
  return null;
end $$;

create function take_made_windows() returns trigger language plpgsql as $$
begin
  update made_tracks set windows = made_tracks.windows - gone.windows, bytes = made_tracks.bytes - gone.bytes
  from (
    select source_id, track, count(*) as windows, coalesce(sum(bytes), 0) as bytes
    from removed where made_at is not null group by source_id, track
  ) as gone
  join sources on sources._id = gone.source_id
  where made_tracks.site_id = sources.site_id and made_tracks.source_id = gone.source_id and made_tracks.track = gone.track;
  return null;
end $$;

create trigger media_windows_put after insert on media_windows
for each row when (new.made_at is not null) execute function add_made_window();
create trigger media_windows_made after update on media_windows
for each row when (old.made_at is null and new.made_at is not null) execute function add_made_window();
create trigger media_windows_removed after delete on media_windows referencing old table as removed
for each statement execute function take_made_windows();

insert into made_tracks (site_id, source_id, track, windows, bytes)
select sources.site_id, sources._id, track, count(*), coalesce(sum(media_windows.bytes), 0)
from sources join media_windows on source_id = sources._id where made_at is not null
group by sources.site_id, sources._id, track;
