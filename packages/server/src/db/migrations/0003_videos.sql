-- Videos. Removed ones stay for 30 days, so every index of the living says so.

create extension if not exists btree_gin;

-- The words a video is found by: letters and digits; anything else parts them. PostgreSQL's own parser would keep
-- 'src-12' as a minus sign and a number.
create function search_words(title text, keywords text[], source_id text) returns tsvector
language sql immutable parallel safe
return to_tsvector(
  'simple'::regconfig,
  regexp_replace(concat_ws(' ', title, array_to_string(keywords, ' '), source_id), '[^[:alnum:]]+', ' ', 'g')
);

create table videos (
  _id                        text collate "C" not null,
  site_id                    text collate "C" not null references channels on delete cascade,
  title                      text collate "C" not null,
  friendly_title             text not null,
  internal_title             text,
  description                text,
  short_description          text,
  keywords                   text[] not null default '{}',
  active                     boolean not null default true,
  enable_at                  timestamptz(3),
  disable_at                 timestamptz(3),
  switches_at                timestamptz(3),
  published_at               timestamptz(3) not null default now(),
  featured                   boolean not null default false,
  mature_content             boolean not null default false,
  parental_guidelines_rating text,
  country                    text,
  language                   text,
  genre                      text,
  episode                    double precision,
  season                     double precision,
  series_id                  text,
  source_id                  text,
  foreign_id                 text,
  youtube_id                 text,
  vimeo_id                   text,
  hulu_id                    text,
  crunchyroll_id             text,
  kaltura_id                 text,
  mrss_id                    text,
  discovery_url              text,
  custom_thumbnail_url       text,
  live_event                 boolean not null default false,
  on_air                     boolean not null default false,
  on_air_at                  timestamptz(3),
  off_air_at                 timestamptz(3),
  subscription_required      boolean not null default false,
  pass_required              boolean not null default false,
  purchase_required          boolean not null default false,
  purchase_price             numeric,
  rental_required            boolean not null default false,
  rental_price               numeric,
  rental_duration            integer,
  registration_required      boolean not null default false,
  redemption_code_required   boolean not null default false,
  subscription_ads_enabled   boolean not null default true,
  marketplace_ids            jsonb not null default '{}',
  preview_ids                text[] not null default '{}',
  custom_attributes          jsonb not null default '{}',
  transcriptions_enabled     boolean not null default false,
  translations_enabled       boolean not null default false,
  playout_ad                 boolean not null default false,
  playout_bumper             boolean not null default false,
  playout_slate              boolean not null default false,
  status                     text not null default 'created'
                             check (status in ('created', 'uploading', 'processing', 'ready', 'failed', 'deleted')),
  status_reason              text,
  playable_at                timestamptz(3),
  complete_at                timestamptz(3),
  transcoded                 boolean not null default false,
  duration                   integer,
  precise_duration           double precision,
  rating                     double precision,
  request_count              integer not null default 0,
  categories                 jsonb not null default '[]',
  thumbnails                 jsonb not null default '[]',
  images                     jsonb not null default '[]',
  renditions                 jsonb not null default '[]',
  data_sources               jsonb not null default '[]',
  segments                   jsonb not null default '[]',
  video_zobjects             jsonb not null default '[]',
  zobject_ids                text[] not null default '{}',
  related_playlist_ids       text[] not null default '{}',
  video_source_types         text[] not null default '{}',
  content_rule_profile_id    text,
  status_before_removal      text,
  record                     text not null,
  search                     tsvector generated always as (search_words(title, keywords, source_id)) stored,
  created_at                 timestamptz(3) not null default now(),
  updated_at                 timestamptz(3) not null default now(),
  deleted_at                 timestamptz(3),
  primary key (site_id, _id)
)
-- Records stay in their rows up to 4 kB: fetched from beside the table, ten of them cost three times as much.
with (toast_tuple_target = 4080);

-- The two default lists: what viewers see, and everything.
create index videos_active_by_creation on videos (site_id, created_at, _id) where deleted_at is null and active;
create index videos_by_creation on videos (site_id, created_at, _id) where deleted_at is null;
-- The other orders; `active` comes along so that a page is found in the index alone.
create index videos_by_publication on videos (site_id, published_at, _id) include (active) where deleted_at is null;
create index videos_by_update on videos (site_id, updated_at, _id) include (active) where deleted_at is null;
create index videos_by_title on videos (site_id, title, _id) include (active) where deleted_at is null;
-- Look-ups by a name of the publisher's.
create index videos_by_friendly_title on videos (site_id, friendly_title) where deleted_at is null;
create index videos_by_source_id on videos (site_id, source_id) where source_id is not null and deleted_at is null;
create index videos_by_series on videos (site_id, series_id, created_at, _id) include (active)
  where series_id is not null and deleted_at is null;
create index videos_by_genre on videos (site_id, genre, created_at, _id) include (active)
  where genre is not null and deleted_at is null;
create index videos_by_youtube_id on videos (site_id, youtube_id) where youtube_id is not null and deleted_at is null;
create index videos_by_vimeo_id on videos (site_id, vimeo_id) where vimeo_id is not null and deleted_at is null;
create index videos_by_hulu_id on videos (site_id, hulu_id) where hulu_id is not null and deleted_at is null;
create index videos_by_crunchyroll_id on videos (site_id, crunchyroll_id)
  where crunchyroll_id is not null and deleted_at is null;
-- Flags that few videos have.
create index videos_featured on videos (site_id, created_at, _id) include (active) where featured and deleted_at is null;
create index videos_mature on videos (site_id, created_at, _id) include (active) where mature_content and deleted_at is null;
create index videos_live on videos (site_id, created_at, _id) include (active) where live_event and deleted_at is null;
create index videos_on_air on videos (site_id, created_at, _id) include (active) where on_air and deleted_at is null;
create index videos_by_keyword on videos using gin (site_id, keywords) where keywords <> '{}';
create index videos_by_search on videos using gin (site_id, search);
create index videos_by_category on videos using gin (site_id, categories jsonb_path_ops) where categories <> '[]';
create index videos_by_zobject on videos using gin (site_id, zobject_ids) where zobject_ids <> '{}';
-- Work that falls due.
create index videos_to_switch on videos (switches_at) where switches_at is not null and deleted_at is null;
create index videos_to_purge on videos (deleted_at) where deleted_at is not null;

create trigger videos_inserted after insert on videos
  referencing new table as new_rows for each statement execute function note_list_insert();
create trigger videos_updated after update on videos
  referencing old table as old_rows new table as new_rows for each statement execute function note_list_update();
create trigger videos_deleted after delete on videos
  referencing old table as old_rows for each statement execute function note_list_delete();

-- The record as it is sent, made when the row is written: reading ten of them ready costs a fifth of making them.
-- test/schema.test.ts holds this against the definition.
create function video_record(video videos) returns text
language sql stable as $$
  select row_to_json(record)::text from (select
    video._id, video.site_id, iso(video.created_at) as created_at, iso(video.updated_at) as updated_at,
    video.title, video.friendly_title, video.internal_title, video.description, video.short_description,
    video.keywords, video.active, iso(video.enable_at) as enable_at, iso(video.disable_at) as disable_at,
    iso(video.published_at) as published_at, video.featured, video.mature_content,
    video.parental_guidelines_rating, video.country, video.language, video.genre, video.episode, video.season,
    video.series_id, video.source_id, video.foreign_id, video.youtube_id, video.vimeo_id, video.hulu_id,
    video.crunchyroll_id, video.kaltura_id, video.mrss_id, video.discovery_url, video.custom_thumbnail_url,
    video.live_event, video.on_air, iso(video.on_air_at) as on_air_at, iso(video.off_air_at) as off_air_at,
    video.subscription_required, video.pass_required, video.purchase_required,
    video.purchase_price::text as purchase_price, video.rental_required,
    video.rental_price::text as rental_price, video.rental_duration, video.registration_required,
    video.redemption_code_required, video.subscription_ads_enabled, video.marketplace_ids, video.preview_ids,
    video.custom_attributes, video.transcriptions_enabled, video.translations_enabled, video.playout_ad,
    video.playout_bumper, video.playout_slate, video.status, video.status_reason,
    iso(video.playable_at) as playable_at, iso(video.complete_at) as complete_at, video.transcoded,
    video.duration, video.precise_duration, video.rating, video.request_count, video.categories,
    video.thumbnails, video.images, video.renditions, video.data_sources, video.segments, video.video_zobjects,
    video.zobject_ids, video.related_playlist_ids, video.video_source_types, video.content_rule_profile_id,
    iso(video.deleted_at) as deleted_at
  ) as record
$$;

create function keep_record() returns trigger language plpgsql as $$
begin
  new.record := video_record(new);
  return new;
end $$;

-- Triggers run in the order of their names: this one after videos_removed.
create trigger videos_written before insert or update on videos for each row execute function keep_record();

-- A removed video says so, and takes its old status back when it is restored.
create function follow_removal() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null and old.deleted_at is null then
    new.status_before_removal := old.status;
    new.status := 'deleted';
  elsif new.deleted_at is null and old.deleted_at is not null then
    new.status := coalesce(old.status_before_removal, 'created');
    new.status_before_removal := null;
  end if;
  return new;
end $$;

create trigger videos_removed before update of deleted_at on videos for each row execute function follow_removal();

-- Switches that fall due, for every table that has them. `next_switch` is a look at an index; `switch_due` acts.
create function next_switch() returns timestamptz
language sql stable
return (select min(switches_at) from videos where switches_at is not null and deleted_at is null);

-- At most 2,000 at a time, passing over rows that somebody is writing: nobody waits long for it. Answers how many.
-- enable_at and disable_at that have passed take effect in the order of their times; at the same time, hiding wins.
create function switch_due() returns integer language plpgsql as $$
declare
  switched integer;
begin
  update videos set
    active = case
      when enable_at <= now() and (disable_at is null or disable_at > now() or disable_at < enable_at) then true
      else false
    end,
    switches_at = case
      when enable_at > now() and disable_at > now() then least(enable_at, disable_at)
      when enable_at > now() then enable_at
      when disable_at > now() then disable_at
    end,
    updated_at = now()
  where (site_id, _id) in (
    select site_id, _id from videos where switches_at <= now() and deleted_at is null
    order by switches_at limit 2000 for update skip locked
  );
  get diagnostics switched = row_count;
  return switched;
end $$;
