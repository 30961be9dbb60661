-- No two records share a friendly title: one kind of record, one channel, and for zobjects one type. A deleted video frees
-- its own. Those that do share one by now keep it if they were first; the others get the end of their id behind it.

do $$
begin
  loop
    update videos set friendly_title = friendly_title || '-' || right(_id, 8)
    where deleted_at is null and exists (
      select from videos as first
      where first.site_id = videos.site_id and first.friendly_title = videos.friendly_title and first.deleted_at is null
        and (first.created_at, first._id) < (videos.created_at, videos._id)
    );
    exit when not found;
  end loop;
  loop
    update playlists set friendly_title = friendly_title || '-' || right(_id, 8)
    where exists (
      select from playlists as first
      where first.site_id = playlists.site_id and first.friendly_title = playlists.friendly_title
        and (first.created_at, first._id) < (playlists.created_at, playlists._id)
    );
    exit when not found;
  end loop;
  loop
    update zobjects set friendly_title = friendly_title || '-' || right(_id, 8)
    where exists (
      select from zobjects as first
      where first.site_id = zobjects.site_id and first.zobject_type_id = zobjects.zobject_type_id
        and first.friendly_title = zobjects.friendly_title
        and (first.created_at, first._id) < (zobjects.created_at, zobjects._id)
    );
    exit when not found;
  end loop;
  loop
    update categories set friendly_title = friendly_title || '-' || right(_id, 8)
    where exists (
      select from categories as first
      where first.site_id = categories.site_id and first.friendly_title = categories.friendly_title
        and (first.created_at, first._id) < (categories.created_at, categories._id)
    );
    exit when not found;
  end loop;
end $$;

drop index videos_by_friendly_title;
create unique index videos_by_friendly_title on videos (site_id, friendly_title) where deleted_at is null;
drop index playlists_by_friendly_title;
create unique index playlists_by_friendly_title on playlists (site_id, friendly_title);
drop index zobjects_by_friendly_title;
create unique index zobjects_by_friendly_title on zobjects (site_id, zobject_type_id, friendly_title);
create unique index categories_by_friendly_title on categories (site_id, friendly_title);
