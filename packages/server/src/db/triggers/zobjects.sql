-- Zobjects, and what other rows show about them.

-- Counts the zobjects of each type.
create or replace function count_new_zobjects() returns trigger language plpgsql as $$
begin
  update zobject_types set zobject_count = zobject_count + added.count
  from (select site_id, zobject_type_id, count(*) from new_rows group by 1, 2) as added
  where zobject_types.site_id = added.site_id and _id = zobject_type_id;
  return null;
end $$;

create or replace trigger zobjects_counted after insert on zobjects
  referencing new table as new_rows for each statement execute function count_new_zobjects();

-- Deleted ones are no longer counted, and their images are deleted.
create or replace function end_zobjects() returns trigger language plpgsql as $$
begin
  update zobject_types set zobject_count = zobject_count - removed.count
  from (select site_id, zobject_type_id, count(*) from gone group by 1, 2) as removed
  where zobject_types.site_id = removed.site_id and _id = zobject_type_id;
  delete from image_files where (site_id, owner_id) in (select site_id, _id from gone);
  return null;
end $$;

create or replace trigger zobjects_ended after delete on zobjects
  referencing old table as gone for each statement execute function end_zobjects();

-- Updates what videos show about changed zobjects.
create or replace function follow_zobjects() returns trigger language plpgsql as $$
begin
  perform show_zobjects(link.site_id, array_agg(distinct link.video_id))
  from new_rows as now join old_rows as was on was.site_id = now.site_id and was._id = now._id
  join zobject_videos as link on link.site_id = now.site_id and link.zobject_id = now._id
  where (was.title, was.description, was.active, was.zobject_type)
    is distinct from (now.title, now.description, now.active, now.zobject_type)
  group by link.site_id;
  return null;
end $$;

create or replace trigger zobjects_followed after update on zobjects
  referencing old table as old_rows new table as new_rows for each statement execute function follow_zobjects();

-- Updates both sides of a link between zobject and video.
create or replace function follow_zobject_videos() returns trigger language plpgsql as $$
begin
  perform from zobjects where (site_id, _id) in (select site_id, zobject_id from changed_rows)
    order by _id for no key update;
  update zobjects set
    updated_at = now(),
    video_ids = array(
      select video_id from zobject_videos as link
      where link.site_id = zobjects.site_id and link.zobject_id = zobjects._id order by place
    )
  where (site_id, _id) in (select distinct site_id, zobject_id from changed_rows);
  perform show_zobjects(site_id, array_agg(distinct video_id)) from changed_rows group by site_id;
  return null;
end $$;

create or replace trigger zobject_videos_added after insert on zobject_videos
  referencing new table as changed_rows for each statement execute function follow_zobject_videos();
create or replace trigger zobject_videos_removed after delete on zobject_videos
  referencing old table as changed_rows for each statement execute function follow_zobject_videos();

-- Updates the zobject of a link to a playlist. Its row is locked first, so that the update sees what other transactions
-- have committed.
create or replace function follow_zobject_playlists() returns trigger language plpgsql as $$
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

create or replace trigger zobject_playlists_added after insert on zobject_playlists
  referencing new table as changed_rows for each statement execute function follow_zobject_playlists();
create or replace trigger zobject_playlists_removed after delete on zobject_playlists
  referencing old table as changed_rows for each statement execute function follow_zobject_playlists();
