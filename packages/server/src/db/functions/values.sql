-- Functions that need no table. Generated columns use some of them, so this file is applied before the tables.

-- The format of all times that the API sends: ISO 8601 with milliseconds, in UTC.
create or replace function iso(moment timestamptz) returns text language plpgsql immutable strict parallel safe as $$
begin
  -- to_char() is only stable, so in SQL this would not be inlined, but be a statement of its own in each record.
  return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end $$;

-- An id in the usual format, derived from channel, time and name.
create or replace function id_of(site_id text, moment timestamptz, name text) returns text
language sql immutable parallel safe
return lpad(to_hex(extract(epoch from moment)::bigint), 8, '0') || left(md5(site_id || ' ' || name), 16);

-- The words that a record is found by: letters and digits. PostgreSQL's own parser would read 'src-12' as a minus sign
-- and a number.
create or replace function words_in(given text) returns tsvector language sql immutable parallel safe
return to_tsvector('simple'::regconfig, regexp_replace(given, '[^[:alnum:]]+', ' ', 'g'));

create or replace function words_of(variadic texts text[]) returns tsvector language sql immutable parallel safe
return words_in(array_to_string(texts, ' '));

-- The words of a record with a title and keywords.
create or replace function search_words(title text, keywords text[], source_id text) returns tsvector
language sql immutable parallel safe
return words_in(concat_ws(' ', title, array_to_string(keywords, ' '), source_id));

-- A few letters that all words of a channel begin with in the indexes for search. So the words of one channel are beside
-- each other, and a search reads no entries of other channels. Two channels may share a mark: queries also compare site_id.
create or replace function channel_mark(site_id text) returns text language sql immutable parallel safe
return translate(left(md5(site_id), 4), '0123456789', 'ghijklmnop');

-- The words of a text with the mark of their channel. Texts have the collation C, in which letters with marks would
-- separate words. A vector has at most 1 MB, so words after the first 200,000 characters are not included.
create or replace function marked_words(mark text, given text) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return ts_delete(to_tsvector('simple'::regconfig, mark || regexp_replace(
    left(given, 200000) collate "default", '[^[:alnum:]]+', ' ' || mark, 'g'
  )), mark);
end $$;

-- Converts what a person typed into a search to a query of words that begin with a mark, which may be empty. Every word must occur;
-- the last one may be a prefix. With weights, the words must have one of them.
create or replace function marked_query(mark text, typed text, weights text) returns tsquery
language sql immutable parallel safe
return (
  select string_agg(
    to_tsquery('simple'::regconfig, quote_literal(mark || word) || case
      when place = length then ':*' || weights when weights <> '' then ':' || weights else ''
    end)::text, ' & '
  )::tsquery
  from (
    select word, place, count(*) over () as length
    from regexp_split_to_table(btrim(regexp_replace(typed, '[^[:alnum:]]+', ' ', 'g')), ' ')
      with ordinality as split (word, place)
    where word <> ''
  ) as words
);

-- The condition that one rule of a playlist sets for the categories of a video, as part of a JSON path.
create or replace function category_path(rule jsonb, given jsonb) returns text
language sql immutable parallel safe
return 'exists($[*] ? (@.category_id == ' || (rule -> 'category_id')::text || coalesce((
  select ' && (' || string_agg('@.value[*] == ' || value::text, ' || ') || ')' from jsonb_array_elements(given) as value
), '') || '))';

-- All rules of a playlist as one JSON path. Null if the playlist is filled by hand, or has no rules and is empty.
create or replace function filling_path(playlist_type text, match_type text, rules jsonb) returns jsonpath
language sql immutable parallel safe
return case when playlist_type = 'category' then (
  select ('('
    || string_agg(category_path(rule, rule -> 'value'), case match_type when 'all' then ' && ' else ' || ' end)
    || ')'
    || coalesce(string_agg(' && !' || category_path(rule, rule -> 'exclude_values'), '')
      filter (where jsonb_array_length(coalesce(rule -> 'exclude_values', '[]')) > 0), ''))::jsonpath
  from jsonb_array_elements(rules) as rule
) end;

-- The thumbnails that viewers see: the custom picture if there is one, else the frames of the film. The size is shown
-- only if it was measured for the same URL.
create or replace function shown_thumbnails(custom_url text, facts jsonb, frames jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  -- In PL/pgSQL for the same reason as iso().
  return case when custom_url is null then frames else jsonb_build_array(jsonb_build_object(
    'url', custom_url,
    'width', case when facts ->> 'url' = custom_url then facts -> 'width' end,
    'height', case when facts ->> 'url' = custom_url then facts -> 'height' end,
    'aspect_ratio', case when facts ->> 'url' = custom_url
      then round((facts ->> 'width')::numeric / (facts ->> 'height')::numeric, 2) end,
    'name', 'custom'
  )) end;
end $$;
