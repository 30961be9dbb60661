-- A search learns the words of its own channel first, however many videos of others wait.
create index words_to_learn_of_channel on words_to_learn (site_id);

-- It takes a channel now: functions/search.sql.
drop function if exists learn_words(integer);
