-- How much of a film is watched. Players report each play by an id of its own with what was watched of it so far; once a
-- minute that is added up by video, day and kind of device, and a day later the report is forgotten.

alter table channels add column respect_do_not_track boolean not null default false;

create table plays (
  _id             text collate "C" not null,
  site_id         text collate "C" not null references channels on delete cascade,
  video_id        text collate "C" not null,
  date            timestamptz(3) not null,
  device          text not null,
  plays           integer not null default 0,
  finished        integer not null default 0,
  watched_seconds bigint not null default 0,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (site_id, _id),
  constraint plays_once unique (site_id, video_id, date, device)
);

create index plays_by_date on plays (site_id, date, _id);

create table play_reports (
  site_id         text collate "C" not null,
  video_id        text collate "C" not null,
  play            text collate "C" not null,
  device          text not null,
  began_at        timestamptz(3) not null,
  watched_seconds integer not null default 0,
  ended           boolean not null default false,
  -- What of it has been added up; null before the play itself has been.
  counted_seconds integer,
  counted_end     boolean not null default false,
  is_due          boolean not null generated always as (
                    counted_seconds is distinct from watched_seconds or counted_end <> ended
                  ) stored,
  primary key (site_id, video_id, play),
  foreign key (site_id, video_id) references videos on delete cascade
);

create index play_reports_due on play_reports (site_id, video_id, play) where is_due;
create index play_reports_by_beginning on play_reports (began_at);
