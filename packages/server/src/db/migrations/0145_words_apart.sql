-- The words that videos are found by get narrow tables of their own: counting the matches of a common word in the wide
-- rows of videos read the whole channel. docs/decisions/0057 has the reasons and the numbers.

-- Finds known words that resemble a misspelt one.
create extension if not exists pg_trgm;

-- One row for each video, with the columns that lists of videos are narrowed and sorted by. Triggers maintain it:
-- triggers/search.sql. There is no foreign key, because checking it would cost every new video a query.
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
