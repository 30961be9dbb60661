-- The images of deleted records go with them.
-- Written by `npm run generate -- sql` from the contract. Do not edit it.

create or replace trigger videos_images after delete on videos
  referencing old table as gone for each statement execute function remove_images();
create or replace trigger zobjects_images after delete on zobjects
  referencing old table as gone for each statement execute function remove_images();
create or replace trigger playlists_images after delete on playlists
  referencing old table as gone for each statement execute function remove_images();
