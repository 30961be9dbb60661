-- q looks in video_search. Updates of videos need not write their words again. This comes last, because dropping a
-- column stops readers until the migrations are committed.
alter table videos drop column search;
