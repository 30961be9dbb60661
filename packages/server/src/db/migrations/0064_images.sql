-- Images that publishers give to videos, playlists and zobjects, as they came. They commit with the records that name them.

create table image_files (
  _id          text collate "C" primary key,
  site_id      text collate "C" not null references channels on delete cascade,
  owner_id     text collate "C" not null,
  is_thumbnail boolean not null default false,
  word         text not null,
  content_type text not null,
  bytes        bytea not null,
  created_at   timestamptz(3) not null default now()
);

create index image_files_of_owner on image_files (site_id, owner_id);

create function remove_images() returns trigger language plpgsql as $$
begin
  delete from image_files where (site_id, owner_id) in (select site_id, _id from gone);
  return null;
end $$;

create trigger videos_images after delete on videos
  referencing old table as gone for each statement execute function remove_images();
create trigger playlists_images after delete on playlists
  referencing old table as gone for each statement execute function remove_images();
create trigger zobjects_images after delete on zobjects
  referencing old table as gone for each statement execute function remove_images();
