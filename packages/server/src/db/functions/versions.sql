-- Versions of videos, read from the history.

-- The value of a column of videos as the record shows it, from its text in the history.
create or replace function shown_in_record(field text, value text) returns jsonb language plpgsql stable as $$
declare
  type constant regtype := (select atttypid from pg_attribute where attrelid = 'videos'::regclass and attname = field);
begin
  -- A statement for each type: one expression for all would be planned with the value, and convert it to each of them.
  case type
    when 'timestamptz'::regtype then
      value := to_jsonb(iso(value::timestamptz));
    when 'text[]'::regtype then
      value := to_jsonb(value::text[]);
    when 'boolean'::regtype then
      value := to_jsonb(value::boolean);
    when 'double precision'::regtype then
      value := to_jsonb(value::double precision);
    when 'integer'::regtype, 'jsonb'::regtype then
      null;
    else
      -- Texts, and exact numbers, which the record shows as texts.
      value := to_jsonb(value);
  end case;
  return coalesce(value::jsonb, 'null');
end $$;

-- The kind of caller that a version shows. Null for the platform.
create or replace function caller_of_version(actor text) returns text language sql immutable
return (
  select kind from split_part(actor, ' ', 1) as kind where kind in ('admin', 'named', 'owner', 'editor', 'upload')
);

-- The newest 100 versions of a video. All changes of one request are one version. Version 1 is the video as it was created;
-- it is there once there is another one.
create or replace function versions_of_video(video videos)
returns table (
  _id text, created_at timestamptz, number integer, caller text, author text, fields text[], before jsonb, after jsonb
) language plpgsql stable rows 100 as $$
declare
  -- What others write: pictures, the details of zobjects, and the address of a film that is imported.
  unversioned constant text[] := '{thumbnails,images,video_zobjects,source_url}';
  old_number integer;
  old_id     text;
begin
  select max(old.number), max(old._id) into old_number, old_id from old_video_versions as old
  where old.site_id = video.site_id and old.video_id = video._id;
  return query
  with changes as (
    select event.*, (event.xact, event.request_id) is distinct from
      lag((event.xact, event.request_id)) over (order by event._id) as begins
    from events as event
    where event.site_id = video.site_id and event.record_id = video._id and event.resource = 'videos'
      and event._id > coalesce(old_id, '') and not event.fields <@ unversioned
  ), numbered as (
    select changes.*, coalesce(old_number, 1) + (count(*) filter (where begins) over (order by changes._id))::integer as place
    from changes
  ), newest as (
    select * from numbered where place > (select max(place) from numbered) - 100
  ), fields_of as (
    select place, field,
      (array_agg(shown_in_record(field, previous -> field) order by newest._id))[1] as before,
      (array_agg(shown_in_record(field, state -> field) order by newest._id desc))[1] as after
    from newest cross join unnest(newest.fields) as field where field <> all (unversioned)
    group by place, field
  ), recent as (
    select max(newest._id) as _id, min(newest.created_at) as created_at, place, min(newest.actor) as actor,
      min(newest.author) as author
    from newest group by place
  ), versions as (
    select recent._id, recent.created_at, place as number, caller_of_version(actor) as caller, recent.author,
      (select array_agg(field order by field) from fields_of where fields_of.place = recent.place) as fields,
      (select jsonb_object_agg(field, fields_of.before) from fields_of where fields_of.place = recent.place) as before,
      (select jsonb_object_agg(field, fields_of.after) from fields_of where fields_of.place = recent.place) as after
    from recent
    union all
    select old._id, old.created_at, old.number, old.caller, old.author, old.fields, old.before, old.after
    from old_video_versions as old where old.site_id = video.site_id and old.video_id = video._id
    union all
    select id_of(video.site_id, video.created_at, video._id || ' 1'), video.created_at, 1,
      caller_of_version(video.created_by), name_of_actor(video.site_id, video.created_by), '{}', '{}', '{}'
    where old_id is not null or exists (select from recent)
  )
  select * from versions
  where versions.number > (select max(last.number) from versions as last) - 100;
end $$;

-- Keeps versions of videos when their events have become too old: the next ones of up to `most` videos after one. Returns
-- the last of these videos; null if there are no others.
create or replace function keep_versions(days integer, most integer, after_video text) returns text
language plpgsql as $$
declare
  -- Beyond what keep_event_days() drops, which is called later.
  until constant timestamptz := now() - make_interval(days => days) + interval '1 hour';
  sites text[];
  ids   text[];
begin
  select array_agg(site_id order by record_id), array_agg(record_id order by record_id) into sites, ids from (
    select distinct site_id, record_id from events
    where resource = 'videos' and fields is not null and created_at < until and record_id > after_video
    order by record_id limit most
  ) as due;
  insert into old_video_versions (_id, site_id, video_id, number, caller, author, fields, before, after, created_at)
  select version._id, site, id, number, caller, author, fields, before, after, version.created_at
  from unnest(sites, ids) as due (site, id) join videos on site_id = site and videos._id = id
  cross join lateral versions_of_video(videos) as version
  where number > 1 and version.created_at < until
  on conflict do nothing;
  delete from old_video_versions as old using (
    select site_id, video_id, max(number) as number from old_video_versions
    join unnest(sites, ids) as due (site, id) on site_id = site and video_id = id group by 1, 2
  ) as last
  where old.site_id = last.site_id and old.video_id = last.video_id and old.number <= last.number - 100;
  return ids[cardinality(ids)];
end $$;
