-- What was changed in a video, when and by whom. A trigger writes a version with every change, in the same transaction, with the
-- fields that differ and no others. The first change also notes the making of the video, so that making one costs nothing.

create table video_versions (
  _id        text collate "C" not null,
  site_id    text collate "C" not null,
  video_id   text collate "C" not null,
  number     integer not null,
  caller     text,
  author     text,
  fields     text[] not null default '{}',
  before     jsonb not null default '{}',
  after      jsonb not null default '{}',
  xact       xid8,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (site_id, video_id, number),
  -- Not by the channel first: a plan made while the table is small would walk through all of a channel's versions with it.
  unique (_id, site_id),
  foreign key (site_id, video_id) references videos on delete cascade
);

-- Who made it, and who changes it now: 'admin', or 'editor' and the id of the person. The second never stays: the trigger takes it.
alter table videos add column created_by text;
alter table videos add column changed_by text;

-- Whoever changes a video in several statements says who they are for the whole transaction instead.
create function version_author(said text) returns text language sql stable
return coalesce(said, nullif(current_setting('zoetrope.author', true), ''));

create function keep_version(video videos, number integer, person text, fields text[], before jsonb, after jsonb)
returns void language plpgsql as $$
begin
  insert into video_versions (_id, site_id, video_id, number, caller, author, fields, before, after, xact)
  values (
    id_of(video.site_id, now(), video._id || ' ' || number), video.site_id, video._id, number,
    nullif(split_part(person, ' ', 1), ''),
    case when person like '% %' then
      (select coalesce(name, split_part(email, '@', 1)) from publishers where _id = split_part(person, ' ', 2))
    end,
    fields, before, after, pg_current_xact_id()
  );
end $$;

create function keep_versions() returns trigger language plpgsql as $$
declare
  most    constant integer := 100;
  was     constant jsonb := old.record::jsonb;
  becomes constant jsonb := new.record::jsonb;
  person  constant text := version_author(new.changed_by);
  names      text[];
  old_values jsonb;
  new_values jsonb;
  last       video_versions;
begin
  new.changed_by := null;
  select array_agg(name order by name), jsonb_object_agg(name, was -> name), jsonb_object_agg(name, becomes -> name)
    into names, old_values, new_values
  from unnest(tg_argv[0]::text[]) as name where was -> name <> becomes -> name;
  if names is null then
    return new;
  end if;
  select * into last from video_versions
  where site_id = new.site_id and video_id = new._id order by number desc limit 1;
  -- Several statements of one request are one change.
  if last.xact = pg_current_xact_id_if_assigned() and last.number > 1 then
    update video_versions set
      fields = array(select distinct unnest(last.fields || names) order by 1),
      before = old_values || last.before, after = last.after || new_values
    where site_id = new.site_id and video_id = new._id and number = last.number;
    return new;
  end if;
  if last.number is null then
    perform keep_version(old, 1, old.created_by, '{}', '{}', '{}');
    update video_versions set created_at = old.created_at where site_id = new.site_id and video_id = new._id;
    last.number := 1;
  end if;
  perform keep_version(new, last.number + 1, person, names, old_values, new_values);
  if last.number >= most then
    delete from video_versions
    where site_id = new.site_id and video_id = new._id and number <= last.number + 1 - most;
  end if;
  return new;
end $$;

-- After videos_written by its name: the record is what is compared.
create trigger videos_written_versions before update of
  changed_by, title, friendly_title, internal_title, description, short_description, keywords, active, enable_at, disable_at,
  published_at, featured, mature_content, parental_guidelines_rating, country, language, genre, episode, season, series_id,
  source_id, foreign_id, youtube_id, vimeo_id, hulu_id, crunchyroll_id, kaltura_id, mrss_id, discovery_url,
  custom_thumbnail_url, formats, live_event, on_air, on_air_at, off_air_at, subscription_required, pass_required,
  purchase_required, purchase_price, rental_required, rental_price, rental_duration, registration_required,
  redemption_code_required, subscription_ads_enabled, marketplace_ids, preview_ids, custom_attributes, transcriptions_enabled,
  translations_enabled, playout_ad, playout_bumper, playout_slate, categories, segments, zobject_ids, content_rule_profile_id,
  deleted_at
on videos for each row execute function keep_versions(
  '{title, friendly_title, internal_title, description, short_description, keywords, active, enable_at, disable_at,
  published_at, featured, mature_content, parental_guidelines_rating, country, language, genre, episode, season, series_id,
  source_id, foreign_id, youtube_id, vimeo_id, hulu_id, crunchyroll_id, kaltura_id, mrss_id, discovery_url,
  custom_thumbnail_url, formats, live_event, on_air, on_air_at, off_air_at, subscription_required, pass_required,
  purchase_required, purchase_price, rental_required, rental_price, rental_duration, registration_required,
  redemption_code_required, subscription_ads_enabled, marketplace_ids, preview_ids, custom_attributes, transcriptions_enabled,
  translations_enabled, playout_ad, playout_bumper, playout_slate, categories, segments, zobject_ids, content_rule_profile_id,
  deleted_at}'
);
