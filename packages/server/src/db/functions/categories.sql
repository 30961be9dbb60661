-- Updates what videos and playlists store about categories when a category changes.

-- The ids in videos.categories.
create or replace function category_ids_in(entries jsonb) returns text[]
language sql immutable parallel safe
return array(select entry ->> 'category_id' from jsonb_array_elements(entries) as entry);

-- Returns the values that still exist, in the given order and without duplicates. Renamed ones get their new names.
create or replace function kept_values(given jsonb, kept text[], renamed jsonb) returns jsonb
language sql immutable parallel safe
return (
  select coalesce(jsonb_agg(value order by place), '[]') from (
    select value, min(place) as place from (
      select case when old = any(kept) then old else renamed ->> old end as value, place
      from jsonb_array_elements_text(given) with ordinality as listed (old, place)
    ) as now_called
    where value = any(kept) group by value
  ) as found
);

-- Returns a list of categories with current titles and values, and without removed categories.
create or replace function followed_categories(of_site text, entries jsonb) returns jsonb
language sql stable
return (
  select coalesce(jsonb_agg(
    entry
    || jsonb_build_object('title', title, 'value', kept_values(entry -> 'value', values, renamed))
    || case when entry ? 'exclude_values'
         then jsonb_build_object('exclude_values', kept_values(entry -> 'exclude_values', values, renamed))
         else '{}' end
    order by place
  ), '[]')
  from jsonb_array_elements(entries) with ordinality as listed (entry, place)
  join categories on categories.site_id = of_site and categories._id = entry ->> 'category_id'
);

-- Returns the rules of a playlist with current titles and values. A rule whose category or values were all removed
-- matches no video. Where all rules must match, it is kept, so that removing a category does not add videos to the
-- playlist.
create or replace function followed_rules(of_site text, match_type text, rules jsonb) returns jsonb
language sql stable
return (
  select coalesce(jsonb_agg(case when followed is null then rule else followed end order by place), '[]')
  from jsonb_array_elements(rules) with ordinality as listed (rule, place)
  cross join lateral (select followed_categories(of_site, jsonb_build_array(rule)) -> 0) as now_is (now_so)
  cross join lateral (
    select case when rule -> 'value' = '[]' or now_so -> 'value' <> '[]' then now_so end
  ) as tried (followed)
  where followed is not null or match_type = 'all'
);

-- Updates the playlists and the next batch of videos that have a category. Returns the last id if there may be more. It
-- can be repeated, because the result depends only on the current categories. It shares the lock of playlists, so that
-- their rules do not change meanwhile.
create or replace function follow_category(of_site text, of_category text, after text, batch integer) returns text
language plpgsql as $$
declare
  ids text[];
begin
  perform share_playlists(of_site);
  update playlists set categories = followed_rules(site_id, match_type, categories), updated_at = now()
  where after = '' and site_id = of_site
    and categories @> jsonb_build_array(jsonb_build_object('category_id', of_category));
  ids := array(
    select _id from videos
    where site_id = of_site and _id > after and categories <> '[]'
      and categories @> jsonb_build_array(jsonb_build_object('category_id', of_category))
    order by _id limit batch for update
  );
  update videos set categories = followed_categories(site_id, categories), updated_at = now()
  where site_id = of_site and _id = any(ids)
    and categories is distinct from followed_categories(site_id, categories);
  return case when cardinality(ids) = batch then ids[batch] end;
end $$;
