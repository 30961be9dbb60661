-- The formats of videos.

-- Returns the formats of a video: those of its channel, unless its own settings override them. Every flag in the row of
-- the channel is a format. They are in the order of their kinds, each from small to large.
create or replace function wanted_formats(site_id text, own jsonb) returns text[]
language sql stable
return (
  select array(
    select name from jsonb_each(to_jsonb(formats)) as format (name, of_channel)
    where jsonb_typeof(of_channel) = 'boolean' and coalesce(own -> name, of_channel) = 'true'::jsonb
    order by split_part(name, '_', 1), length(name), name
  )
  from formats where formats._id = wanted_formats.site_id
);
