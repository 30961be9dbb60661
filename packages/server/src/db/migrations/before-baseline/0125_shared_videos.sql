-- Share pages have no key in their address: the video's id says whose it is.

create index videos_by_id on videos (_id) where active and deleted_at is null;

-- An upload whose file has no name is called what its video will be called, so that no list has a nameless row.

alter table uploads alter column file_name set default 'Untitled';

update uploads set file_name = 'Untitled' where file_name = '';

-- The same text with the addresses of our pictures below another address of the player. Their paths end in words that
-- nobody else has, so no other address is touched.
create function readdressed(written text, player_url text) returns text language sql immutable parallel safe as $$
  select regexp_replace(
    written,
    'https?://[^"[:space:]]*(/(?:pictures/[0-9a-f]{24}/(?:poster-[0-9]{1,4}|preview)-[0-9a-f]{16}[.](?:jpg|webp)|images/[0-9a-f]{24}/[0-9a-f]{32}[.][a-z]+))',
    replace(player_url, '\', '\\') || '\1', 'g'
  )
$$;
