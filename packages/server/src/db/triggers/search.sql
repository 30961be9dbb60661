-- What videos and subtitles are found by, in the transaction that writes them.

create or replace function search_new_video() returns trigger language plpgsql as $$
begin
  with added as (
    insert into video_search (site_id, _id, created_at, active, deleted_at, words)
    values (new.site_id, new._id, new.created_at, new.active, new.deleted_at, words_of_video(new))
    returning site_id, _id
  )
  insert into words_to_learn (site_id, video_id) select site_id, _id from added;
  return null;
end $$;

create or replace trigger videos_searched after insert on videos
  for each row execute function search_new_video();

-- The words are compared here and not in a condition of the trigger, which PostgreSQL would parse with every update.
create or replace function search_changed_words() returns trigger language plpgsql as $$
declare
  is_described_anew constant boolean :=
    (old.internal_title, old.short_description, old.description)
    is distinct from (new.internal_title, new.short_description, new.description);
begin
  if not is_described_anew and (old.title, old.keywords, old.source_id, old.video_zobjects)
    is not distinct from (new.title, new.keywords, new.source_id, new.video_zobjects) then
    return null;
  end if;
  with changed as (
    -- Searches do not look at positions, so the words of the same descriptions can stay where they are.
    update video_search set words = case
      when is_described_anew then words_of_video(new) else main_words_of_video(new) || ts_filter(words, '{b}')
    end
    where site_id = new.site_id and _id = new._id returning site_id, _id
  )
  insert into words_to_learn (site_id, video_id) select site_id, _id from changed;
  return null;
end $$;

create or replace trigger videos_searched_words
  after update of title, internal_title, keywords, source_id, video_zobjects, description, short_description on videos
  for each row execute function search_changed_words();

create or replace function search_changed_state() returns trigger language plpgsql as $$
begin
  update video_search set active = new.active, deleted_at = new.deleted_at
  where site_id = new.site_id and _id = new._id;
  return null;
end $$;

create or replace trigger videos_searched_state after update of active, deleted_at on videos
  for each row when ((old.active, old.deleted_at) is distinct from (new.active, new.deleted_at))
  execute function search_changed_state();

create or replace function forget_searched() returns trigger language plpgsql as $$
begin
  delete from video_search using gone where video_search.site_id = gone.site_id and video_search._id = gone._id;
  return null;
end $$;

create or replace trigger videos_unsearched after delete on videos
  referencing old table as gone for each statement execute function forget_searched();

-- Deleting a subtitle deletes its row here by the foreign key.
create or replace function search_subtitle() returns trigger language plpgsql as $$
begin
  delete from subtitle_search where site_id = new.site_id and _id = new._id;
  if new.active then
    insert into subtitle_search (site_id, _id, video_id, words)
    values (new.site_id, new._id, new.video_id, words_of_subtitle(new.site_id, new.vtt));
    insert into words_to_learn (site_id, video_id) values (new.site_id, new.video_id);
  end if;
  return null;
end $$;

create or replace trigger subtitles_searched after insert or update of vtt, active on subtitles
  for each row execute function search_subtitle();
