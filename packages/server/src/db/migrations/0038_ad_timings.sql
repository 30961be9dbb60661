-- Places in what a video plays from, where advertisements may be shown.

create view data_sources as
select _id, site_id, video_id, duration, created_at, updated_at from sources where replaced_at is null;

create table ad_timings (
  _id                   text collate "C" not null,
  site_id               text collate "C" not null,
  video_id              text collate "C" not null,
  data_source_id        text collate "C" not null,
  milliseconds          integer not null check (milliseconds >= 0),
  time                  double precision not null generated always as (milliseconds / 1000::double precision) stored,
  duration_milliseconds integer check (duration_milliseconds >= 0),
  duration              double precision generated always as (duration_milliseconds / 1000::double precision) stored,
  type                  text not null generated always as (
                          case when milliseconds = 0 then 'preroll' else 'midroll' end
                        ) stored,
  mode                  text not null default 'manual',
  ad_placement_id       text,
  created_at            timestamptz(3) not null default now(),
  updated_at            timestamptz(3) not null default now(),
  primary key (site_id, _id),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index ad_timings_of_data_source on ad_timings (site_id, video_id, data_source_id, milliseconds, _id);

-- A film that takes the place of another has its breaks: whoever set them would have to set them again.
create function move_ad_timings() returns trigger language plpgsql as $$
begin
  update ad_timings set data_source_id = new.media_source_id, updated_at = now()
  where site_id = new.site_id and video_id = new._id and data_source_id = old.media_source_id;
  return null;
end $$;

create trigger videos_ad_timings after update of media_source_id on videos
  for each row when (old.media_source_id <> new.media_source_id) execute function move_ad_timings();
