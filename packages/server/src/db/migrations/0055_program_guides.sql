-- What is on when, read from files at addresses.

create table program_guides (
  _id                       text collate "C" not null,
  site_id                   text collate "C" not null references channels on delete cascade,
  name                      text collate "C" not null,
  url                       text not null,
  channel                   text,
  language                  text[] not null default '{}',
  time_zone                 text not null,
  video_ids                 text[] not null default '{}',
  status                    text not null default 'created' check (status in ('created', 'synced', 'failed')),
  status_reason             text,
  program_guide_entry_count integer not null default 0,
  refreshed_at              timestamptz(3),
  -- When it is read again by itself.
  refresh_at                timestamptz(3) not null default now(),
  search                    tsvector generated always as (
                              to_tsvector('simple'::regconfig, regexp_replace(name, '[^[:alnum:]]+', ' ', 'g'))
                            ) stored,
  created_at                timestamptz(3) not null default now(),
  updated_at                timestamptz(3) not null default now(),
  primary key (site_id, _id)
);

create index program_guides_by_creation on program_guides (site_id, created_at, _id);
create index program_guides_due on program_guides (refresh_at);
create index program_guides_by_video on program_guides using gin (site_id, video_ids) where video_ids <> '{}';

create table program_guide_entries (
  _id                    text collate "C" not null,
  site_id                text collate "C" not null,
  program_guide_id       text collate "C" not null,
  title                  text collate "C" not null,
  subtitle               text,
  description            text,
  category               text[] not null default '{}',
  duration               integer not null,
  start_time             timestamptz(3) not null,
  end_time               timestamptz(3) not null,
  start_time_with_offset text not null,
  end_time_with_offset   text not null,
  time_zone              text not null,
  search                 tsvector generated always as (
                           to_tsvector('simple'::regconfig, regexp_replace(title, '[^[:alnum:]]+', ' ', 'g'))
                         ) stored,
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  primary key (site_id, _id),
  -- One thing is on at a time.
  unique (site_id, program_guide_id, start_time),
  foreign key (site_id, program_guide_id) references program_guides on delete cascade
);

-- A video that is gone for good is in no guide.
create function forget_guided_videos() returns trigger language plpgsql as $$
begin
  update program_guides as guide set updated_at = now(), video_ids = array(
    select kept.id from unnest(guide.video_ids) with ordinality as kept (id, place)
    where not exists (select from gone where gone.site_id = guide.site_id and gone._id = kept.id)
    order by kept.place
  )
  from gone where guide.site_id = gone.site_id and guide.video_ids @> array[gone._id];
  return null;
end $$;

create trigger videos_unguided after delete on videos
  referencing old table as gone for each statement execute function forget_guided_videos();
