-- Zobjects in the rows of videos.

-- Writes what the records of videos show about their zobjects: all ids, and details of the active ones. The rows are
-- locked first, so that the update sees what others have committed.
create or replace function show_zobjects(site text, video_ids text[]) returns void language plpgsql as $$
begin
  perform from videos where site_id = site and _id = any (video_ids) order by _id for no key update;
  update videos set
    updated_at = now(),
    zobject_ids = array(
      select zobject_id from zobject_videos as link
      where link.site_id = site and link.video_id = videos._id order by place
    ),
    video_zobjects = coalesce((
      select jsonb_agg(jsonb_build_object(
        '_id', zobject._id, 'title', zobject.title, 'description', zobject.description,
        'zobject_type_title', zobject.zobject_type
      ) order by place)
      from zobject_videos as link join zobjects as zobject
        on zobject.site_id = link.site_id and zobject._id = link.zobject_id
      where link.site_id = site and link.video_id = videos._id and zobject.active
    ), '[]')
  where site_id = site and _id = any (video_ids);
end $$;
