-- What videos and subtitles are found by. The triggers are in triggers/search.sql.

-- The words of a video that have the weight A.
create or replace function main_words_of_video(video videos) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  attached text;
begin
  if video.video_zobjects <> '[]' then
    select string_agg(zobject ->> 'title', ' ') into attached from jsonb_array_elements(video.video_zobjects) as zobject;
  end if;
  return setweight(marked_words(
    channel_mark(video.site_id),
    concat_ws(' ', video.title, array_to_string(video.keywords, ' '), video.source_id, attached)
  ), 'A');
end $$;

create or replace function words_of_video(video videos) returns tsvector language plpgsql immutable parallel safe as $$
begin
  if video.description is null and video.short_description is null and video.internal_title is null then
    return main_words_of_video(video);
  end if;
  return main_words_of_video(video) || setweight(marked_words(
    channel_mark(video.site_id), concat_ws(' ', video.internal_title, video.short_description, video.description)
  ), 'B');
end $$;

-- The spoken words of clean WebVTT, without names of cues, times, tags and escapes.
create or replace function words_of_subtitle(site_id text, vtt text) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return strip(marked_words(channel_mark(site_id), regexp_replace(
    regexp_replace(vtt, '^WEBVTT|(\n\n[^\n]*)?\n[0-9]+:[0-9:.]+ --> [^\n]*', ' ', 'g'), '<[^>]*>|&[a-z]+;', ' ', 'g'
  )));
end $$;

-- The words that a misspelt one may be corrected to, without the mark of the channel.
create or replace function learnable_words(words tsvector) returns setof text language sql immutable parallel safe as $$
  select substr(word, 5) from unnest(tsvector_to_array(words)) as word
  where length(word) between 7 and 34 and word !~ '[0-9]'
$$;

-- Adds the words of up to `batch` waiting videos to the known ones, and returns how many videos there were.
create or replace function learn_words(batch integer, channel text default null) returns integer language plpgsql as $$
declare
  learned integer;
begin
  with taken as (
    delete from words_to_learn where ctid = any (array(
      select ctid from words_to_learn where channel is null or site_id = channel limit batch for update skip locked
    )) returning site_id, video_id
  ), changed as (
    select distinct site_id, video_id from taken where exists (select from channels where _id = site_id)
  ), added as (
    insert into known_words (site_id, word)
    select distinct changed.site_id, word from changed cross join lateral (
      select words from video_search where site_id = changed.site_id and _id = changed.video_id
      union all
      select words from subtitle_search where site_id = changed.site_id and video_id = changed.video_id
    ) as texts cross join lateral learnable_words(words) as word
    order by 1, 2
    on conflict do nothing
  )
  select count(*) into learned from taken;
  return learned;
end $$;
