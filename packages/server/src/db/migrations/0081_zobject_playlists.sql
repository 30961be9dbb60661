-- Zobjects attached to playlists. The zobjects' rows show them.

alter table zobjects add column playlist_ids text[] not null default '{}';
create index zobjects_by_playlist on zobjects using gin (site_id, playlist_ids) where playlist_ids <> '{}';

create table zobject_playlists (
  site_id     text collate "C" not null,
  zobject_id  text collate "C" not null,
  playlist_id text collate "C" not null,
  place       bigint generated always as identity,
  primary key (site_id, zobject_id, playlist_id),
  foreign key (site_id, zobject_id) references zobjects on delete cascade,
  foreign key (site_id, playlist_id) references playlists on delete cascade
);

create index zobject_playlists_of_playlist on zobject_playlists (site_id, playlist_id);

-- The rows are held first: the statement after that sees what those before have written.
create function follow_zobject_playlists() returns trigger language plpgsql as $$
begin
  perform from zobjects where (site_id, _id) in (select site_id, zobject_id from changed_rows)
    order by _id for no key update;
  update zobjects set
    updated_at = now(),
    playlist_ids = array(
      select playlist_id from zobject_playlists as link
      where link.site_id = zobjects.site_id and link.zobject_id = zobjects._id order by place
    )
  where (site_id, _id) in (select distinct site_id, zobject_id from changed_rows);
  return null;
end $$;

create trigger zobject_playlists_added after insert on zobject_playlists
  referencing new table as changed_rows for each statement execute function follow_zobject_playlists();
create trigger zobject_playlists_removed after delete on zobject_playlists
  referencing old table as changed_rows for each statement execute function follow_zobject_playlists();
