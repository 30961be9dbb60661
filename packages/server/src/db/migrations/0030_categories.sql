-- Categories and their values, and how videos follow when those change.

create table categories (
  _id            text collate "C" not null,
  site_id        text collate "C" not null references channels on delete cascade,
  title          text collate "C" not null,
  friendly_title text not null,
  values         text[] not null default '{}',
  -- What values that are gone are called now, so that whoever has an old one finds the new one, however late.
  renamed        jsonb not null default '{}',
  search         tsvector generated always as (search_words(title, '{}', '')) stored,
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now(),
  primary key (site_id, _id),
  unique (site_id, title)
);

create index categories_by_creation on categories (site_id, created_at, _id);

-- Values that are still there, renamed ones by their new names, each once and in the order given.
create function kept_values(given jsonb, kept text[], renamed jsonb) returns jsonb
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

-- A list of categories as it is by now: titles and values follow, removed categories are gone.
create function followed_categories(of_site text, entries jsonb) returns jsonb
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

-- Lets the next videos that have a category follow it; answers the last of them if there may be others.
-- It may be done again and again: what a video becomes follows from the categories as they are.
create function follow_category(of_site text, of_category text, after text, batch integer) returns text
language plpgsql as $$
declare
  ids text[];
begin
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
