-- The author of a change to a video is set for the transaction (films/author.ts), and no longer passed in a column.
-- The trigger names the column; triggers/videos.sql makes it again.
drop trigger if exists videos_written_versions on videos;
drop function if exists version_author(text);
alter table videos drop column changed_by;
