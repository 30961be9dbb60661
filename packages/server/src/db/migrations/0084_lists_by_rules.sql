-- Lists that leave out what content rules keep from a viewer.

-- Tries the rules around a record: its own where it is a video, those of the playlists and categories around it, those of
-- profiles, and the channel's own where no profile is named.
create function verdict_around(
  of_site text, of_video text, own_profile text, around text[], category_ids text[], viewer jsonb
) returns text
language plpgsql stable as $$
declare
  profiles text[] := array(
    select content_rule_profile_id from playlists
    where site_id = of_site and _id = any(around) and content_rule_profile_id is not null
  );
  rules applied_rule[];
begin
  rules := array(
    select as_applied(0, rule) from video_content_rules as rule
    where site_id = of_site and video_id = of_video and enabled
    union all
    select as_applied(1, rule) from playlist_content_rules as rule
    where site_id = of_site and playlist_id = any(around) and enabled
    union all
    select as_applied(2, rule) from category_content_rules as rule
    where site_id = of_site and category_id = any(category_ids) and enabled
    union all
    select rule from content_rule_profiles as profile
    cross join lateral rules_of_profile(
      case when profile._id = own_profile then 0 when profile._id = any(profiles) then 1 else 3 end, profile
    ) as rule
    where profile.site_id = of_site and (
      profile._id = own_profile or profile._id = any(profiles)
      or (is_default_profile and own_profile is null and profiles = '{}')
    )
  );
  return verdict_of(rules, of_site, jsonb_set(viewer, '{place,address}', coalesce(viewer -> 'address', 'null')));
end $$;

create function category_ids_in(entries jsonb) returns text[]
language sql immutable parallel safe
return array(select entry ->> 'category_id' from jsonb_array_elements(entries) as entry);

-- Whether a viewer may watch a video by the rules that are about it.
create or replace function content_verdict(video videos, viewer jsonb) returns text
language sql stable as $$
  select verdict_around(
    video.site_id, video._id, video.content_rule_profile_id, playlists_around(video), category_ids_in(video.categories), viewer
  )
$$;

-- The same for what is in a playlist and has no rules of its own.
create function playlist_verdict(playlist playlists, viewer jsonb) returns text
language sql stable as $$
  select verdict_around(playlist.site_id, null, null, playlist_line(playlist.site_id, playlist._id), '{}', viewer)
$$;

-- What a channel's rules are about, so that a list tries those records alone; the rest all have the verdict `at_large`.
create function rules_of_channel(of_site text, viewer jsonb)
returns table (is_ruled boolean, playlist_ids text[], category_ids text[], at_large text)
language sql stable as $$
  select at_large is not null or playlist_ids <> '{}' or category_ids <> '{}'
      or exists (select from video_content_rules where site_id = of_site and enabled)
      or exists (select from content_rule_profiles where site_id = of_site),
    playlist_ids, category_ids, at_large
  from (
    select array(
      select playlist_id from playlist_content_rules where site_id = of_site and enabled
      union select _id from playlists where site_id = of_site and content_rule_profile_id is not null
    ) as playlist_ids, array(
      select distinct category_id from category_content_rules where site_id = of_site and enabled
    ) as category_ids, verdict_around(of_site, null, null, '{}', '{}', viewer) as at_large
  ) as rules
$$;
