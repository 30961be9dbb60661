-- Reads every video and subtitle once, and changes none. The indexes are built afterwards, which is faster.

insert into video_search (site_id, _id, created_at, active, deleted_at, words)
select site_id, _id, created_at, active, deleted_at, words_of_video(videos) from videos;

insert into subtitle_search (site_id, _id, video_id, words)
select site_id, _id, video_id, words_of_subtitle(site_id, vtt) from subtitles where active;

create index video_search_by_words on video_search using gin (words);
create index subtitle_search_by_words on subtitle_search using gin (words);

insert into known_words (site_id, word)
select site_id, word from video_search cross join lateral learnable_words(words) as word
union
select site_id, word from subtitle_search cross join lateral learnable_words(words) as word;

analyze video_search, subtitle_search, known_words;
