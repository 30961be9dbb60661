-- What the sweep of the media storage has to know. Sources and poster images that ended on purpose are noted, so that their
-- files may go without asking. Whatever else no row knows, in an old backup perhaps, is noted from when on it was seen.

create table ended_media (
  _id      text collate "C" primary key,
  ended_at timestamptz(3) not null default now()
);

create table unknown_media (
  _id          text collate "C" primary key,
  kind         text not null check (kind in ('film', 'image', 'piece')),
  seen_at      timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);

create function note_ended_sources() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) select _id from gone on conflict do nothing;
  return null;
end $$;

create trigger sources_ended after delete on sources
  referencing old table as gone for each statement execute function note_ended_sources();

create function note_ended_posters() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) select poster_image_id from gone where poster_image_id is not null on conflict do nothing;
  return null;
end $$;

create trigger videos_posters_ended after delete on videos
  referencing old table as gone for each statement execute function note_ended_posters();

create function note_replaced_poster() returns trigger language plpgsql as $$
begin
  insert into ended_media (_id) values (old.poster_image_id) on conflict do nothing;
  return null;
end $$;

create trigger videos_poster_replaced after update of poster_image_id on videos
  for each row when (old.poster_image_id is distinct from new.poster_image_id and old.poster_image_id is not null)
  execute function note_replaced_poster();
