-- Which formats are published: by a channel, and by a video that says otherwise; and what is kept of formats that were turned off.

create table formats (
  _id        text collate "C" primary key references channels on delete cascade,
  site_id    text collate "C" not null generated always as (_id) stored,
  hls_240p   boolean not null default true,
  hls_360p   boolean not null default true,
  hls_480p   boolean not null default true,
  hls_720p   boolean not null default true,
  hls_1080p  boolean not null default true,
  webm_360p  boolean not null default true,
  mp4_360p   boolean not null default true,
  -- How often they were changed: the work for an older choice ends by itself.
  revision   integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create function add_formats() returns trigger
language plpgsql as $$
begin
  insert into formats (_id) values (new._id);
  return null;
end $$;

create trigger channels_formats after insert on channels for each row execute function add_formats();

insert into formats (_id) select _id from channels;

-- The formats of a video: its channel's, except where its own say otherwise.
create function wanted_formats(site_id text, own jsonb) returns text[]
language sql stable
return (
  select array(
    select name from unnest(array['hls_240p', 'hls_360p', 'hls_480p', 'hls_720p', 'hls_1080p', 'mp4_360p', 'webm_360p']) as name
    where coalesce(own -> name, of_channel -> name) = 'true'::jsonb
  )
  from (select to_jsonb(formats) as of_channel from formats where formats._id = wanted_formats.site_id) as channel
);

-- Tracks of a source that are made and that nobody wants any more, and since when. They are removed after a day.
create table unwanted_tracks (
  site_id   text collate "C" not null,
  source_id text collate "C" not null,
  track     text collate "C" not null,
  since     timestamptz(3) not null default now(),
  primary key (source_id, track),
  foreign key (site_id, source_id) references sources on delete cascade
);

create index unwanted_tracks_by_time on unwanted_tracks (since);
