-- The words that videos and subtitles are found by, in narrow tables of their own: docs/decisions/0057. Triggers maintain
-- them: triggers/search.sql.

-- One row for each video, with the columns that lists of videos are narrowed and sorted by. There is no foreign key,
-- because checking it would cost every new video a query.
create table video_search (
  site_id    text collate "C" not null,
  _id        text collate "C" not null,
  created_at timestamptz(3) not null,
  active     boolean not null,
  deleted_at timestamptz(3),
  -- Weight A: title, keywords, source_id and titles of zobjects, which q looks at. Weight B: the descriptions.
  words      tsvector not null,
  primary key (site_id, _id)
)
-- Publishing a video changes no index of its row if the page has room.
with (fillfactor = 90);

create index video_search_by_words on video_search using gin (words);

-- One row for each active subtitle.
create table subtitle_search (
  site_id  text collate "C" not null,
  _id      text collate "C" not null,
  video_id text collate "C" not null,
  words    tsvector not null,
  primary key (site_id, _id),
  foreign key (site_id, _id) references subtitles on delete cascade
);

create index subtitle_search_of_video on subtitle_search (site_id, video_id);
create index subtitle_search_by_words on subtitle_search using gin (words);

-- The words of a channel, to correct misspelt ones with. learn_words() adds them after the videos are written, because
-- writers of the same new word would wait for each other.
create table known_words (
  site_id text collate "C" not null references channels on delete cascade,
  word    text collate "C" not null,
  primary key (site_id, word)
);

create index known_words_by_likeness on known_words using gin (site_id, word gin_trgm_ops);

-- Videos with words that are not known yet.
create table words_to_learn (
  site_id  text collate "C" not null,
  video_id text collate "C" not null
);

-- A search learns the words of its own channel first, however many videos of others wait.
create index words_to_learn_of_channel on words_to_learn (site_id);
