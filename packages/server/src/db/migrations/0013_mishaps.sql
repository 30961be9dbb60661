-- A window that could not be made although the film is no cause of it: ffmpeg was killed, the disk was full, the database
-- was away. Such a window is tried for about an hour, with growing pauses; one whose film is damaged, three times.

alter table media_windows add column mishaps integer not null default 0;

create or replace function hopeless_window(kept media_windows) returns boolean
language sql immutable as $$
  select kept.failures >= 3 or kept.mishaps >= 12
$$;
